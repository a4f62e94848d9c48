// See dead_references.h.
#include "compiler/twin/dead_references.h"

#include <llvm/Object/ELF.h>
#include <set>

namespace culprit {
using llvm::object::ELF64LE;

namespace {

/// The names behind `phrase` in each line: up to the closing quote, or the end of the line.
void collect(const std::string &output, const std::string &phrase, std::set<std::string> &names) {
  for (size_t at = output.find(phrase); at != std::string::npos; at = output.find(phrase, at)) {
    at += phrase.size();
    size_t end = output.find_first_of("'\n", at);
    names.insert(output.substr(at, end - at));
  }
}

std::set<std::string> symbolsOf(const Image &image) {
  std::set<std::string> symbols;
  std::string_view bytes = image.file->bytes();
  auto elf = llvm::object::ELFFile<ELF64LE>::create(llvm::StringRef(bytes.data(), bytes.size()));
  if (!elf)
    return llvm::consumeError(elf.takeError()), symbols;
  auto sections = elf->sections();
  if (!sections)
    return llvm::consumeError(sections.takeError()), symbols;
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_SYMTAB && section.sh_type != llvm::ELF::SHT_DYNSYM)
      continue;
    auto rows = elf->symbols(&section);
    auto names = elf->getStringTableForSymtab(section);
    if (rows && names)
      for (const auto &row : *rows) {
        auto name = row.getName(*names);
        if (name)
          symbols.insert(name->str());
        llvm::consumeError(name.takeError());
      }
    llvm::consumeError(rows.takeError());
    llvm::consumeError(names.takeError());
  }
  return symbols;
}

} // namespace

std::vector<std::string> deadReferences(const std::string &output, const Image &original) {
  std::set<std::string> names;
  collect(output, "undefined reference to `", names); // bfd
  collect(output, "undefined reference to '", names); // gold
  collect(output, "undefined symbol: ", names);       // lld
  if (names.empty())
    return {};
  std::set<std::string> own = symbolsOf(original);
  for (const std::string &name : names)
    if (own.contains(name))
      return {};
  return {names.begin(), names.end()};
}

} // namespace culprit
