// See section_places.h.
#include "compiler/twin/section_places.h"

#include "abi/contract.h"
#include "abi/memory_map.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <llvm/Object/ELF.h>
#include <sstream>

namespace culprit {
namespace {

/// A section of culprit's own, and where the next one's room begins.
struct OwnSection {
  const char *name;
  uint64_t begin, end;
};
constexpr OwnSection kOwnSections[] = {
    {"culprit_library", abi::kLibraryVariables, abi::kLibraryData},
    {"culprit_library_data", abi::kLibraryData, abi::kLibraryZeroes},
    {"culprit_library_bss", abi::kLibraryZeroes, abi::kStateBase},
    {"culprit_state", abi::kStateBase, abi::kStateDataBase},
    {"culprit_state_data", abi::kStateDataBase, abi::kGuardTableBase},
    {"culprit_guards", abi::kGuardTableBase, abi::kCountsBase},
    {abi::kCountSection, abi::kCountsBase, abi::kExecutableLimit},
};
constexpr std::string_view kOwnPrefix = "culprit_";

std::string sectionAt(const char *name, uint64_t address) {
  return fmt::format("--section-start={}={:#x}", name, address);
}

/// The layout's script says itself where guard words are.
std::vector<std::string> ownPlaces() {
  std::vector<std::string> options;
  for (const OwnSection &section : kOwnSections)
    if (section.begin != abi::kGuardTableBase)
      options.push_back(sectionAt(section.name, section.begin));
  return options;
}

std::vector<std::string> joined(std::vector<std::string> options,
                                const std::vector<std::string> &more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

size_t occurrences(std::string_view text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size()))
    ++count;
  return count;
}

} // namespace

SectionPlaces executablePlaces() {
  std::vector<std::string> own = ownPlaces();
  std::string data = sectionAt(".data", abi::kDataBase);
  return {joined({data, sectionAt(".bss", abi::kBssBase)}, own),
          joined({data, sectionAt(".bss", abi::kFarBssBase)}, own), own};
}

SectionPlaces libraryPlaces(size_t imageIndex, bool isLld) {
  uint64_t base = abi::kLibraryBase + imageIndex * abi::kLibraryDistance;
  std::string start = fmt::format("{}={:#x}", isLld ? "--image-base" : "-Ttext-segment", base);
  return {{start, sectionAt(".data", base + abi::kLibraryDataDistance),
           sectionAt(".bss", base + abi::kLibraryBssDistance)},
          {start, sectionAt(".data", base + abi::kFarLibraryDataDistance),
           sectionAt(".bss", base + abi::kFarLibraryBssDistance)},
          {start}};
}

void checkOwnOverlap(const std::string &linkerOutput) {
  std::istringstream lines(linkerOutput);
  for (std::string line; std::getline(lines, line);)
    if (line.find("overlap") != line.npos && occurrences(line, kOwnPrefix) > 1)
      failInternal("culprit's own variables do not fit where they belong (abi/memory_map.h); the "
                   "linker said: {}",
                   line);
}

void checkOwnRoom(const std::filesystem::path &executable) {
  MappedFile file(executable);
  auto elf = llvm::cantFail(llvm::object::ELFFile<llvm::object::ELF64LE>::create(
      {file.bytes().data(), file.bytes().size()}));
  for (const auto &header : llvm::cantFail(elf.sections())) {
    llvm::StringRef name = llvm::cantFail(elf.getSectionName(header));
    for (const OwnSection &section : kOwnSections)
      if (name == section.name && header.sh_addr >= section.begin &&
          header.sh_addr + header.sh_size > section.end)
        failInternal("culprit's own variables do not fit where they belong (abi/memory_map.h): "
                     "section '{}' has {} bytes, and room for {}",
                     section.name, uint64_t{header.sh_size}, section.end - section.begin);
  }
}

} // namespace culprit
