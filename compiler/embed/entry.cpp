// Writing and recognising entries. See entry.h.
//
// Level 6 of zstd takes 15 ms for a large C++ file and is within a few per cent of the levels that
// take ten times as long.
#include "compiler/embed/entry.h"
#include "compiler/embed/columns.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"
#include <cstring>

using namespace llvm;

namespace culprit {
namespace {

constexpr int kCompressionLevel = 6;
constexpr uint64_t kLargestPayload = uint64_t(4) << 30; ///< more is damage, not a module
constexpr size_t kBytesPerLine = 4096;
constexpr StringLiteral kOpening = ".pushsection .culprit.bc,\"\",@progbits\n";
constexpr StringLiteral kLine = ".ascii \"";

std::array<uint8_t, 16> digest(StringRef bytes) {
  return BLAKE3::hash<16>(arrayRefFromStringRef(bytes));
}

/// zstd over `bytes`, with their number in front where the reader cannot know it.
std::string compressed(StringRef bytes, bool withSize) {
  SmallVector<uint8_t, 0> stored;
  compression::zstd::compress(arrayRefFromStringRef(bytes), stored, kCompressionLevel);
  uint64_t size = bytes.size();
  std::string result;
  if (withSize)
    result.assign(reinterpret_cast<const char *>(&size), sizeof size);
  return result + toStringRef(stored).str();
}

bool isOctal(char c) {
  return c >= '0' && c <= '7';
}

/// Appends an escape for `byte`, as short as the following byte allows. GNU as reads 8 and 9 as
/// octal digits, too.
void appendOctal(std::string &text, uint8_t byte, bool digitFollows) {
  text += '\\';
  if (digitFollows || byte >= 0100)
    text += char('0' + (byte >> 6));
  if (digitFollows || byte >= 010)
    text += char('0' + ((byte >> 3) & 7));
  text += char('0' + (byte & 7));
}

void appendLine(std::string &text, StringRef bytes) {
  text += kLine;
  for (size_t i = 0; i < bytes.size(); ++i) {
    uint8_t byte = bytes[i];
    if (byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\')
      text += char(byte);
    else
      appendOctal(text, byte, i + 1 < bytes.size() && isDigit(bytes[i + 1]));
  }
  text += "\"\n";
}

/// Undoes appendLine for at most `count` bytes.
std::string decodeLine(StringRef text, size_t count) {
  std::string bytes;
  while (bytes.size() < count && !text.empty() && text.front() != '"') {
    if (!text.consume_front("\\")) {
      bytes += text.front();
      text = text.drop_front();
      continue;
    }
    unsigned value = 0;
    for (int digits = 0; digits < 3 && !text.empty() && isOctal(text.front()); ++digits) {
      value = value * 8 + (text.front() - '0');
      text = text.drop_front();
    }
    bytes += char(value);
  }
  return bytes;
}

bool readHeader(StringRef bytes, abi::EntryHeader &header) {
  if (bytes.size() < sizeof header)
    return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return std::memcmp(header.magic, abi::kEntryMagic, sizeof header.magic) == 0;
}

std::string hexId(const abi::EntryHeader &header) {
  return toHex(ArrayRef<uint8_t>(header.id), /*LowerCase=*/true);
}

} // namespace

std::string makeEntry(abi::EntryKind kind, StringRef payload, uint32_t llvmMajor) {
  std::optional<std::string> columns;
  if (llvmMajor)
    columns = bitcodeToColumns(payload);
  std::string stored =
      columns ? compressed(*columns, /*withSize=*/true) : compressed(payload, false);
  abi::EntryHeader header{};
  header.reserved = uint32_t(columns ? Encoding::Columns : Encoding::Plain);
  std::memcpy(header.magic, abi::kEntryMagic, sizeof header.magic);
  header.version = abi::kEmbedVersion;
  header.kind = uint32_t(kind);
  header.llvmMajor = llvmMajor;
  header.storedSize = stored.size();
  header.rawSize = payload.size();
  std::array<uint8_t, 16> id = digest(payload);
  std::memcpy(header.id, id.data(), id.size());
  std::string entry(reinterpret_cast<const char *>(&header), sizeof header);
  return entry + stored;
}

std::optional<std::string> entryPayload(const abi::EntryHeader &header, StringRef stored) {
  uint64_t size = header.rawSize;
  bool inColumns = header.reserved == uint32_t(Encoding::Columns);
  if (inColumns) {
    if (stored.size() < sizeof size)
      return std::nullopt;
    std::memcpy(&size, stored.data(), sizeof size);
    stored = stored.drop_front(sizeof size);
  }
  if (std::max(size, header.rawSize) > kLargestPayload)
    return std::nullopt;
  SmallVector<uint8_t, 0> bytes;
  if (Error error = compression::zstd::decompress(arrayRefFromStringRef(stored), bytes, size)) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  std::optional<std::string> payload = toStringRef(bytes).str();
  if (inColumns)
    payload = columnsToBitcode(*payload, header.rawSize);
  if (!payload || payload->size() != header.rawSize ||
      std::memcmp(digest(*payload).data(), header.id, sizeof header.id) != 0)
    return std::nullopt;
  return payload;
}

std::string entryAsAssembler(StringRef entry) {
  std::string text;
  text.reserve(entry.size() * 3 + 256);
  text += kOpening;
  appendLine(text, entry.take_front(sizeof(abi::EntryHeader)));
  entry = entry.drop_front(sizeof(abi::EntryHeader));
  for (; !entry.empty(); entry = entry.drop_front(std::min(kBytesPerLine, entry.size())))
    appendLine(text, entry.take_front(kBytesPerLine));
  text += ".popsection\n";
  return text;
}

bool assemblerHasEntry(StringRef text) {
  return text.contains(kOpening);
}

std::vector<std::string> entryIds(StringRef section) {
  std::vector<std::string> ids;
  abi::EntryHeader header;
  while (readHeader(section, header)) {
    ids.push_back(hexId(header));
    section = section.drop_front(sizeof header);
    section = section.drop_front(std::min<uint64_t>(header.storedSize, section.size()));
  }
  return ids;
}

std::vector<std::string> entryIdsInAssembler(StringRef text) {
  std::vector<std::string> ids;
  abi::EntryHeader header;
  for (size_t at = text.find(kOpening); at != StringRef::npos; at = text.find(kOpening)) {
    text = text.drop_front(at + kOpening.size());
    StringRef line = text;
    if (line.consume_front(kLine) && readHeader(decodeLine(line, sizeof header), header))
      ids.push_back(hexId(header));
  }
  return ids;
}

std::string contentId(StringRef bytes) {
  return toHex(digest(bytes), /*LowerCase=*/true);
}

} // namespace culprit
