// See count_run.h. A module's counters are found through the symbol table of the twin image: the
// symbol of its array, relative to the start of the section that the file was mapped over.
#include "report/count_run.h"

#include "abi/contract.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <cstring>
#include <llvm/Object/ELFObjectFile.h>

namespace culprit {
namespace fs = std::filesystem;
using llvm::object::ELF64LE;

namespace {

struct CounterPlaces {
  uint64_t start = 0;
  std::multimap<std::string, uint64_t> arrays; ///< module id to address
};

CounterPlaces findCounters(const fs::path &image, const MappedFile &file) {
  CounterPlaces places;
  auto elf = llvm::object::ELFFile<ELF64LE>::create(
      llvm::StringRef(file.bytes().data(), file.bytes().size()));
  if (!elf)
    failInternal("cannot read '{}': {}", image.string(), llvm::toString(elf.takeError()));
  for (const auto &section : cantFail(elf->sections())) {
    if (cantFail(elf->getSectionName(section)) == abi::kCountSection)
      places.start = section.sh_addr;
    if (section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    llvm::StringRef names = cantFail(elf->getStringTableForSymtab(section));
    for (const auto &symbol : cantFail(elf->symbols(&section))) {
      llvm::StringRef name = cantFail(symbol.getName(names));
      if (name.consume_front(abi::kCountSymbolPrefix))
        places.arrays.emplace(name.str(), symbol.st_value);
    }
  }
  return places;
}

std::vector<uint64_t> countersAt(std::string_view bytes, uint64_t offset, size_t count) {
  std::vector<uint64_t> counters(count, 0);
  if (offset <= bytes.size() && count <= (bytes.size() - offset) / sizeof(uint64_t))
    std::memcpy(counters.data(), bytes.data() + offset, count * sizeof(uint64_t));
  return counters;
}

} // namespace

std::vector<FileCounts> readCounts(const Build &build, const fs::path &folder) {
  LineCounts counts;
  for (size_t i = 0; i < build.images.size(); ++i) {
    const ImageBuild &image = build.images[i];
    std::string bytes;
    if (fs::exists(folder / std::to_string(i)))
      bytes = readFile(folder / std::to_string(i));
    MappedFile file(image.path);
    CounterPlaces places = findCounters(image.path, file);
    std::vector<const Entry *> modules = image.original->modules();
    for (size_t m = 0; m < modules.size(); ++m) {
      SiteTable table = SiteTable::parse(readFile(image.sites[m]));
      auto [first, last] = places.arrays.equal_range(modules[m]->id);
      if (first == last)
        counts.add(table, std::vector<uint64_t>(table.counterCount, 0));
      for (auto array = first; array != last; ++array)
        counts.add(table, countersAt(bytes, array->second - places.start, table.counterCount));
      places.arrays.erase(first, last);
    }
  }
  return counts.files();
}

} // namespace culprit
