// Looking into the files of a link. See link_inputs.h.
//
// An LTO input is a bitcode file. Its entries are still assembler text, one record of the module
// block, which a bitstream cursor reaches without building IR.
#include "compiler/wrapper/link_inputs.h"
#include "abi/embed.h"
#include "compiler/embed/entry.h"
#include "compiler/wrapper/elf.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/Bitstream/BitstreamReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace culprit {
namespace {

/// Appends the assembler record of the module block that `cursor` has just been told of.
Error readModuleBlock(BitstreamCursor &cursor, std::string &text) {
  if (Error error = cursor.EnterSubBlock(bitc::MODULE_BLOCK_ID))
    return error;
  SmallVector<uint64_t, 0> record;
  while (true) {
    Expected<BitstreamEntry> entry = cursor.advanceSkippingSubblocks();
    if (!entry)
      return entry.takeError();
    if (entry->Kind != BitstreamEntry::Record)
      return Error::success();
    record.clear();
    Expected<unsigned> code = cursor.readRecord(entry->ID, record);
    if (!code)
      return code.takeError();
    if (*code == bitc::MODULE_CODE_ASM)
      text.append(record.begin(), record.end());
  }
}

Error readModules(BitstreamCursor &cursor, std::string &text) {
  while (!cursor.AtEndOfStream()) {
    Expected<BitstreamEntry> entry = cursor.advance();
    if (!entry)
      return entry.takeError();
    if (entry->Kind != BitstreamEntry::SubBlock)
      return Error::success();
    Error error =
        entry->ID == bitc::MODULE_BLOCK_ID ? readModuleBlock(cursor, text) : cursor.SkipBlock();
    if (error)
      return error;
  }
  return Error::success();
}

std::vector<std::string> entriesOf(StringRef bytes) {
  std::vector<std::string> ids;
  switch (classify(bytes)) {
  case FileKind::Object:
  case FileKind::Shared:
    for (StringRef section : elfSections(bytes, abi::kSectionName))
      append_range(ids, entryIds(section));
    return ids;
  case FileKind::Bitcode:
    return entryIdsInAssembler(moduleAssembler(bytes));
  default:
    return ids;
  }
}

std::vector<MemberContents> membersOf(StringRef path, StringRef bytes) {
  std::vector<MemberContents> result;
  bool thin = classify(bytes) == FileKind::ThinArchive;
  for (const ArchiveMember &member : archiveMembers(bytes)) {
    std::vector<std::string> entries;
    if (!thin) {
      entries = entriesOf(member.bytes);
    } else {
      SmallString<256> file(member.name);
      if (!sys::path::is_absolute(file)) {
        file = sys::path::parent_path(path);
        sys::path::append(file, member.name);
      }
      if (auto buffer =
              MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false))
        entries = entriesOf((*buffer)->getBuffer());
    }
    result.push_back({member.name, std::move(entries)});
  }
  return result;
}

} // namespace

std::string moduleAssembler(StringRef bitcode) {
  // A wrapper header gives offset and size of the bitcode proper.
  if (bitcode.starts_with("\xDE\xC0\x17\x0B") && bitcode.size() >= 20) {
    uint32_t offset = support::endian::read32le(bitcode.data() + 8);
    uint32_t size = support::endian::read32le(bitcode.data() + 12);
    bitcode = bitcode.substr(offset, size);
  }
  std::string text;
  if (!bitcode.consume_front("BC\xC0\xDE"))
    return text;
  BitstreamCursor cursor(bitcode);
  consumeError(readModules(cursor, text));
  return text;
}

FileContents inspectFile(StringRef path, StringRef bytes) {
  FileContents contents;
  contents.hash = contentId(bytes);
  switch (classify(bytes)) {
  case FileKind::Archive:
  case FileKind::ThinArchive:
    contents.kind = "archive";
    contents.members = membersOf(path, bytes);
    return contents;
  case FileKind::Object:
    contents.kind = "object";
    break;
  case FileKind::Shared:
    contents.kind = "shared";
    break;
  case FileKind::Bitcode:
    contents.kind = "lto";
    break;
  case FileKind::Other:
    contents.kind = "script";
    break;
  }
  contents.entries = entriesOf(bytes);
  contents.isForeign = contents.entries.empty();
  if (contents.kind == "object")
    contents.isForeign = none_of(elfSections(bytes, abi::kSectionName), holdsCode);
  return contents;
}

} // namespace culprit
