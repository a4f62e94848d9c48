// Reads one image: ELF file, section `.culprit.bc`, its entries and link records. Everything read
// here comes from a file that may be damaged, so every length is checked before it is believed.
#include "compiler/embed/entry.h"
#include "compiler/loader/program.h"
#include "support/diagnostics.h"
#include "support/hash.h"

#include <cstring>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Base64.h>
#include <llvm/Support/JSON.h>

namespace culprit {
namespace fs = std::filesystem;
using llvm::object::ELF64LE;

namespace {

[[noreturn]] void failDamaged(const Image &image, const std::string &what) {
  failUsage("the section '{}' of '{}' is damaged: {}; build the program again", abi::kSectionName,
            image.path.string(), what);
}

std::vector<std::string> stringsOf(const llvm::json::Array *array) {
  std::vector<std::string> texts;
  if (array)
    for (const llvm::json::Value &value : *array)
      texts.push_back(value.getAsString().value_or("").str());
  return texts;
}

LinkInput parseInput(const Image &image, const llvm::json::Object &object) {
  LinkInput input;
  input.arg = static_cast<size_t>(object.getInteger("arg").value_or(0));
  input.kind = object.getString("kind").value_or("").str();
  input.path = object.getString("path").value_or("").str();
  input.hash = object.getString("hash").value_or("").str();
  input.temporary = object.getBoolean("temporary").value_or(false);
  input.entries = stringsOf(object.getArray("entries"));
  if (auto bytes = object.getString("bytes")) {
    std::vector<char> decoded;
    if (llvm::Error error = llvm::decodeBase64(*bytes, decoded)) {
      llvm::consumeError(std::move(error));
      failDamaged(image, "the bytes of '" + input.path + "' cannot be decoded");
    }
    input.bytes.assign(decoded.begin(), decoded.end());
  }
  if (const llvm::json::Array *members = object.getArray("members"))
    for (const llvm::json::Value &value : *members)
      if (const llvm::json::Object *member = value.getAsObject())
        input.members.push_back(
            {member->getString("name").value_or("").str(), stringsOf(member->getArray("entries"))});
  return input;
}

LinkRecord parseLinkRecord(const Image &image, const std::string &text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object) {
    if (!value)
      llvm::consumeError(value.takeError());
    failDamaged(image, "the link record is not JSON");
  }
  LinkRecord record;
  record.output = object->getString("output").value_or("").str();
  record.linker = object->getString("linker").value_or("").str();
  record.argv = stringsOf(object->getArray("argv"));
  if (const llvm::json::Array *inputs = object->getArray("inputs"))
    for (const llvm::json::Value &input : *inputs)
      if (const llvm::json::Object *fields = input.getAsObject()) {
        record.inputs.push_back(parseInput(image, *fields));
        if (record.inputs.back().arg >= record.argv.size())
          failDamaged(image, "the link record names an argument that is not there");
      }
  return record;
}

ForeignMark parseForeignMark(const Image &image, const std::string &text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    failDamaged(image, "a foreign mark is not JSON");
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    failDamaged(image, "a foreign mark is not an object");
  return {object->getString("source").value_or("").str(),
          object->getString("reason").value_or("").str()};
}

std::vector<Entry> splitEntries(const Image &image, std::string_view section) {
  std::vector<Entry> entries;
  while (!section.empty()) {
    abi::EntryHeader header;
    if (section.size() < sizeof header)
      failDamaged(image, "it ends inside a header");
    std::memcpy(&header, section.data(), sizeof header);
    if (std::memcmp(header.magic, abi::kEntryMagic, sizeof header.magic) != 0)
      failDamaged(image, "an entry does not start with its mark");
    if (header.version != abi::kEmbedVersion)
      failUsage("'{}' holds entries of format {}; this culprit reads {}; build it again with this "
                "culprit's compilers",
                image.path.string(), header.version, abi::kEmbedVersion);
    section.remove_prefix(sizeof header);
    if (header.storedSize > section.size())
      failDamaged(image, "an entry is longer than the section");
    entries.push_back(
        {header, toHex(header.id, sizeof header.id), section.substr(0, header.storedSize)});
    section.remove_prefix(header.storedSize);
  }
  return entries;
}

template <typename T> T valueOr(const Image &image, llvm::Expected<T> value) {
  if (!value)
    failUsage("'{}' is a damaged ELF file: {}", image.path.string(),
              llvm::toString(value.takeError()));
  return std::move(*value);
}

/// Whether a symbol table names a function that starts threads.
bool startsThreads(const llvm::object::ELFFile<ELF64LE> &elf) {
  auto sections = elf.sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return true;
  }
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM && section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    auto symbols = elf.symbols(&section);
    auto names = elf.getStringTableForSymtab(section);
    if (symbols && names)
      for (const auto &symbol : *symbols) {
        if (auto name = symbol.getName(*names)) {
          if (name->starts_with("pthread_create") || name->starts_with("thrd_create") ||
              name->starts_with("_ZNSt6thread15_M_start_thread"))
            return true;
        } else {
          llvm::consumeError(name.takeError());
        }
      }
    llvm::consumeError(symbols.takeError());
    llvm::consumeError(names.takeError());
  }
  return false;
}

/// The entries of all sections of our name, in file order: `ld -r` keeps sections apart whose flags
/// differ.
std::vector<Entry> readSections(const Image &image, const llvm::object::ELFFile<ELF64LE> &elf) {
  std::vector<Entry> entries;
  for (const auto &section : valueOr(image, elf.sections())) {
    llvm::Expected<llvm::StringRef> name = elf.getSectionName(section);
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    if (*name != abi::kSectionName)
      continue;
    auto bytes = valueOr(image, elf.getSectionContents(section));
    for (Entry &entry :
         splitEntries(image, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}))
      entries.push_back(std::move(entry));
  }
  return entries;
}

/// Checks that every entry that the link record promises is there.
void checkComplete(const Image &image) {
  if (image.link->dropsUnused())
    return;
  auto present = [&](const std::string &id) {
    for (const Entry &entry : image.entries)
      if (entry.id == id)
        return true;
    return false;
  };
  for (const LinkInput &input : image.link->inputs)
    if (input.kind != "shared")
      for (const std::string &id : input.entries)
        if (!present(id))
          failUsage("'{}' lacks the bitcode of '{}', which was linked into it; build it again "
                    "(a linker script or objcopy may have dropped part of section '{}')",
                    image.path.string(), input.path, abi::kSectionName);
}

void readEntries(Image &image) {
  for (const Entry &entry : image.entries) {
    if (entry.kind() == abi::EntryKind::Module && entry.header.llvmMajor != LLVM_VERSION_MAJOR)
      failUsage("'{}' holds bitcode of LLVM {}; this culprit reads LLVM {}; build the program "
                "again with this culprit's compilers",
                image.path.string(), entry.header.llvmMajor, LLVM_VERSION_MAJOR);
    if (entry.kind() == abi::EntryKind::Foreign)
      image.marks.push_back(parseForeignMark(image, payloadOf(image, entry)));
    if (entry.kind() == abi::EntryKind::Link) {
      LinkRecord record = parseLinkRecord(image, payloadOf(image, entry));
      if (record.output == "relocatable")
        image.relocatables[entry.id] = std::move(record);
      else
        image.link = std::move(record);
    }
  }
  if (image.link)
    checkComplete(image);
}

} // namespace

std::string payloadOf(const Image &image, const Entry &entry) {
  std::optional<std::string> payload =
      entryPayload(entry.header, llvm::StringRef(entry.stored.data(), entry.stored.size()));
  if (!payload)
    failDamaged(image, "an entry does not match its checksum");
  return std::move(*payload);
}

Image loadImage(const fs::path &path) {
  Image image;
  image.path = fs::absolute(path);
  image.name = path.filename().string();
  if (fs::is_directory(path))
    failUsage("'{}' is a folder; expected a program built with culprit-cc", path.string());
  image.file = std::make_unique<MappedFile>(path);
  std::string_view bytes = image.file->bytes();
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    failUsage("'{}' is not an ELF file{}; expected a program built with culprit-cc", path.string(),
              bytes.starts_with("#!") ? " but a script (run the program that it starts)" : "");
  if (bytes.size() < sizeof(ELF64LE::Ehdr))
    failUsage("'{}' is a damaged ELF file: it ends inside its header", path.string());
  if (bytes[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 ||
      bytes[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB || bytes[18] != llvm::ELF::EM_X86_64 ||
      bytes[19] != 0)
    failUsage("'{}' is not an x86-64 program; culprit analyses x86-64 Linux programs only",
              path.string());
  auto elf = valueOr(
      image, llvm::object::ELFFile<ELF64LE>::create(llvm::StringRef(bytes.data(), bytes.size())));
  image.type = elf.getHeader().e_type;
  image.dynamic = readDynamic(bytes);
  if (!image.dynamic.soname.empty())
    image.name = image.dynamic.soname;
  image.entries = readSections(image, elf);
  readEntries(image);
  if (!image.entries.empty())
    image.startsThreads = startsThreads(elf);
  return image;
}

} // namespace culprit
