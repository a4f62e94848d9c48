// Making the link record. See link_record.h.
#include "compiler/wrapper/link_record.h"
#include "compiler/embed/entry.h"
#include "compiler/wrapper/elf.h"
#include "compiler/wrapper/link_inputs.h"
#include "compiler/wrapper/link_line.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace culprit {
namespace {

json::Array asArray(const std::vector<std::string> &ids) {
  json::Array array;
  for (const std::string &id : ids)
    array.push_back(id);
  return array;
}

void addMembers(const FileContents &contents, json::Object &record) {
  if (none_of(contents.members, [](const MemberContents &m) { return !m.entries.empty(); }))
    return;
  json::Array members;
  for (const MemberContents &member : contents.members)
    members.push_back(json::Object{{"name", member.name}, {"entries", asArray(member.entries)}});
  record["members"] = std::move(members);
}

/// One input; nothing if the file cannot be read.
std::optional<json::Object> inputRecord(const LinkInput &input, const LinkContext &context) {
  auto buffer = MemoryBuffer::getFile(input.path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  StringRef bytes = (*buffer)->getBuffer();
  FileContents contents = inspectFile(input.path, bytes);
  std::optional<std::string> temporary = temporaryName(input.path, context.temporaryFolder);
  json::Object record{{"arg", int64_t(input.arg)},
                      {"kind", contents.kind},
                      {"path", temporary ? *temporary : mapPath(input.path, context.maps)}};
  if (contents.kind != "archive" && contents.kind != "script")
    record["entries"] = asArray(contents.entries);
  addMembers(contents, record);
  if (temporary)
    record["temporary"] = true;
  if (temporary && contents.isForeign)
    record["bytes"] = encodeBase64(bytes);
  if (!temporary || contents.isForeign)
    record["hash"] = contents.hash;
  return record;
}

json::Array recordedArguments(const std::vector<std::string> &args, const LinkContext &context) {
  json::Array array;
  for (const std::string &arg : args) {
    if (auto temporary = temporaryName(arg, context.temporaryFolder))
      array.push_back("@temporary/" + *temporary);
    else
      array.push_back(mapArgument(arg, context.maps));
  }
  return array;
}

bool isOurTarget(const LinkLine &line) {
  return line.emulation.empty() || line.emulation == "elf_x86_64";
}

} // namespace

PrefixMaps parsePrefixMaps(StringRef lines) {
  PrefixMaps maps;
  SmallVector<StringRef, 4> entries;
  lines.split(entries, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    auto [from, to] = entry.split('=');
    if (!from.empty())
      maps.emplace_back(from.str(), to.str());
  }
  return maps;
}

std::string mapPath(StringRef path, const PrefixMaps &maps) {
  for (const auto &[from, to] : reverse(maps))
    if (path.starts_with(from))
      return to + path.drop_front(from.size()).str();
  return path.str();
}

std::string mapArgument(StringRef arg, const PrefixMaps &maps) {
  std::string mapped;
  bool option = arg.starts_with("-");
  size_t start = 0;
  if (option && arg.size() > 2 && StringRef("LTRYPo").contains(arg[1]))
    start = 2;
  mapped = arg.take_front(start).str();
  arg = arg.drop_front(start);
  while (true) {
    size_t end = arg.find_first_of("=:,");
    if (end == StringRef::npos)
      return mapped + mapPath(arg, maps);
    mapped += mapPath(arg.take_front(end), maps) + arg[end];
    arg = arg.drop_front(end + 1);
  }
}

std::optional<std::string> temporaryName(StringRef path, StringRef temporaryFolder) {
  if (!path.consume_front(temporaryFolder) || !path.consume_front("/") || path.contains('/'))
    return std::nullopt;
  StringRef extension = sys::path::extension(path);
  StringRef stem = sys::path::stem(path);
  if ((extension != ".o" && extension != ".bc") || stem.size() < 8 ||
      stem[stem.size() - 7] != '-' ||
      !all_of(stem.take_back(6), [](char c) { return isHexDigit(c); }))
    return std::nullopt;
  return (stem.drop_back(7) + extension).str();
}

std::optional<std::string> linkRecordObject(const std::vector<std::string> &args,
                                            const LinkContext &context) {
  std::vector<std::string> expanded = expandResponseFiles(args);
  LinkLine line = parseLinkLine(expanded, [](const std::string &p) { return sys::fs::exists(p); });
  if (line.query || line.foreignFormat || line.inputs.empty() || !isOurTarget(line))
    return std::nullopt;
  json::Array inputs;
  for (const LinkInput &input : line.inputs)
    if (std::optional<json::Object> record = inputRecord(input, context))
      inputs.push_back(std::move(*record));
  json::Object record{{"version", 1},
                      {"output", line.output},
                      {"linker", mapPath(context.linker, context.maps)},
                      {"argv", recordedArguments(expanded, context)},
                      {"inputs", std::move(inputs)}};
  std::string text;
  raw_string_ostream(text) << json::Value(std::move(record));
  return objectWithEntries(makeEntry(abi::EntryKind::Link, text),
                           /*retain=*/line.output != "relocatable");
}

} // namespace culprit
