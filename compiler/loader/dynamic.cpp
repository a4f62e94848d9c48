// See dynamic.h. LLVM's reader believes the place that PT_DYNAMIC names; the file may be damaged.
#include "compiler/loader/dynamic.h"

#include <cstring>
#include <elf.h>
#include <vector>

namespace culprit {
namespace {

template <typename T> std::vector<T> readTable(std::string_view file, uint64_t at, uint64_t count) {
  if (at > file.size() || count > (file.size() - at) / sizeof(T))
    return {};
  std::vector<T> table(count);
  std::memcpy(table.data(), file.data() + at, count * sizeof(T));
  return table;
}

std::string textAt(std::string_view file, uint64_t at) {
  if (at >= file.size())
    return {};
  std::string_view rest = file.substr(at);
  return std::string(rest.substr(0, rest.find('\0')));
}

/// Where in the file an address is, or its end.
uint64_t offsetOf(uint64_t address, const std::vector<Elf64_Phdr> &segments,
                  std::string_view file) {
  for (const Elf64_Phdr &segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return file.size();
}

void readEntries(std::string_view file, const std::vector<Elf64_Phdr> &segments,
                 const std::vector<Elf64_Dyn> &entries, DynamicInfo &info) {
  uint64_t strings = file.size();
  for (const Elf64_Dyn &entry : entries)
    if (entry.d_tag == DT_STRTAB)
      strings = offsetOf(entry.d_un.d_ptr, segments, file);
  for (const Elf64_Dyn &entry : entries) {
    if (entry.d_tag == DT_NULL)
      break;
    std::string text = entry.d_un.d_val < file.size() && strings < file.size()
                           ? textAt(file, strings + entry.d_un.d_val)
                           : "";
    if (entry.d_tag == DT_SONAME)
      info.soname = text;
    // The loader ignores DT_RPATH beside DT_RUNPATH.
    if (entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && info.runPath.empty())) {
      info.runPath = text;
      info.runPathIsOld = entry.d_tag == DT_RPATH;
    }
  }
}

} // namespace

DynamicInfo readDynamic(std::string_view file) {
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  DynamicInfo info;
  auto segments = readTable<Elf64_Phdr>(file, header.e_phoff, header.e_phnum);
  for (const Elf64_Phdr &segment : segments) {
    if (segment.p_type == PT_INTERP)
      info.interpreter = textAt(file, segment.p_offset);
    if (segment.p_type == PT_DYNAMIC)
      readEntries(
          file, segments,
          readTable<Elf64_Dyn>(file, segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn)), info);
  }
  return info;
}

} // namespace culprit
