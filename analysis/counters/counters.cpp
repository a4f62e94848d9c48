// See counters.h. A module's counters are found through the symbol table of the twin image: the
// symbol of its array, relative to the start of the section that the file was mapped over.
#include "analysis/counters/counters.h"

#include "abi/contract.h"
#include "abi/counters.h"
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
  uint64_t size = 0;
  std::multimap<std::string, CounterArray> arrays; ///< by module id
};

template <typename T> T valueOr(const fs::path &image, llvm::Expected<T> value) {
  if (!value)
    failInternal("cannot read '{}': {}", image.string(), llvm::toString(value.takeError()));
  return std::move(*value);
}

CounterPlaces findCounters(const fs::path &image, const MappedFile &file) {
  CounterPlaces places;
  auto elf = valueOr(image, llvm::object::ELFFile<ELF64LE>::create(
                                llvm::StringRef(file.bytes().data(), file.bytes().size())));
  for (const auto &section : valueOr(image, elf.sections())) {
    if (valueOr(image, elf.getSectionName(section)) == abi::kCountSection) {
      places.start = section.sh_addr;
      places.size = section.sh_size;
    }
    if (section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    llvm::StringRef names = valueOr(image, elf.getStringTableForSymtab(section));
    for (const auto &symbol : valueOr(image, elf.symbols(&section))) {
      llvm::StringRef name = valueOr(image, symbol.getName(names));
      if (name.consume_front(abi::kCountSymbolPrefix))
        places.arrays.emplace(name.str(), CounterArray{symbol.st_value, symbol.st_size});
    }
  }
  return places;
}

/// The counters of an image as the program left them; empty if it was not loaded.
std::string countsOf(const fs::path &file, const ImageBuild &image, const CounterPlaces &places) {
  if (!fs::exists(file))
    return {};
  std::string bytes = readFile(file);
  if (bytes.size() < places.size)
    failUsage("the counters of '{}' do not fit into '{}'; make room there or set TMPDIR to another "
              "folder",
              image.original->path.string(), file.parent_path().string());
  return bytes;
}

std::vector<uint64_t> countersAt(std::string_view bytes, uint64_t offset, size_t count) {
  std::vector<uint64_t> counters(count, 0);
  if (offset <= bytes.size() && count <= (bytes.size() - offset) / sizeof(uint64_t))
    std::memcpy(counters.data(), bytes.data() + offset, count * sizeof(uint64_t));
  return counters;
}

} // namespace

ImageCounters::ImageCounters(const Build &build, size_t image, const fs::path &folder) {
  const ImageBuild &built = build.images[image];
  CounterPlaces places = findCounters(built.path, MappedFile(built.path));
  start_ = places.start;
  arrays_ = std::move(places.arrays);
  bytes_ = countsOf(folder / std::to_string(image), built, places);
}

std::vector<std::vector<uint64_t>> ImageCounters::of(const std::string &moduleId,
                                                     size_t count) const {
  std::vector<std::vector<uint64_t>> result;
  auto [first, last] = arrays_.equal_range(moduleId);
  for (auto array = first; array != last; ++array)
    result.push_back(countersAt(bytes_, array->second.address - start_, count));
  return result;
}

uint64_t ImageCounters::ofSite(const std::string &moduleId, uint32_t site, uint32_t thread) const {
  uint64_t count = 0;
  auto [first, last] = arrays_.equal_range(moduleId);
  for (auto array = first; array != last; ++array) {
    uint64_t bank = array->second.size / abi::kCountBanks * (thread - 1);
    uint64_t offset = array->second.address - start_ + bank + site * sizeof(uint64_t);
    count += countersAt(bytes_, offset, 1)[0];
  }
  return count;
}

uint64_t countOfSite(const Build &build, const fs::path &folder, const std::string &moduleId,
                     uint32_t site, uint32_t thread) {
  if (thread == 0 || thread >= abi::kCountBanks)
    return 0;
  uint64_t count = 0;
  for (size_t i = 0; i < build.images.size(); ++i)
    count += ImageCounters(build, i, folder).ofSite(moduleId, site, thread);
  return count;
}

} // namespace culprit
