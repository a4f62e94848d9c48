// See loader_segment.h.
#include "compiler/twin/loader_segment.h"

#include "abi/contract.h"
#include "support/diagnostics.h"

#include <cstddef>
#include <elf.h>
#include <fstream>
#include <vector>

namespace culprit {

void hideLoader(const std::filesystem::path &executable) {
  std::fstream file(executable, std::ios::in | std::ios::out | std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char *>(&header), sizeof header);
  std::vector<Elf64_Phdr> segments(file ? header.e_phnum : 0);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  file.read(reinterpret_cast<char *>(segments.data()),
            static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr)));
  for (size_t i = 0; file && i < segments.size(); ++i)
    if (segments[i].p_type == PT_INTERP) {
      unsigned type = abi::kLoaderSegment;
      size_t place = header.e_phoff + i * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_type);
      file.seekp(static_cast<std::streamoff>(place));
      file.write(reinterpret_cast<const char *>(&type), sizeof type);
    }
  file.flush();
  if (!file)
    failUsage("cannot change the analysis build '{}'", executable.string());
}

} // namespace culprit
