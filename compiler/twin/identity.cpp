// See identity.h.
#include "compiler/twin/identity.h"

#include "compiler/cache/cache.h"
#include "support/diagnostics.h"
#include "support/files.h"
#include "support/hash.h"

#include <cstring>
#include <elf.h>
#include <link.h>

namespace culprit {
namespace {

/// Looks for NT_GNU_BUILD_ID among the notes of the first object listed, which is the program.
int readBuildId(dl_phdr_info *info, size_t, void *result) {
  auto *text = static_cast<std::string *>(result);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    const char *note = reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr);
    const char *end = note + segment.p_memsz;
    while (note + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) header;
      std::memcpy(&header, note, sizeof header);
      const char *name = note + sizeof header;
      const char *bytes = name + ((header.n_namesz + 3) & ~3U);
      if (header.n_type == NT_GNU_BUILD_ID)
        *text = toHex(reinterpret_cast<const uint8_t *>(bytes), header.n_descsz);
      note = bytes + ((header.n_descsz + 3) & ~3U);
    }
  }
  return 1;
}

} // namespace

const std::string &toolIdentity() {
  static const std::string identity = [] {
    std::string text;
    dl_iterate_phdr(readBuildId, &text);
    if (text.empty())
      failInternal("this culprit was linked without a build id, which names its cache files");
    return text;
  }();
  return identity;
}

std::filesystem::path runtimeArchive() {
  return libexecFolder() / "libculprit-runtime.a";
}

std::filesystem::path dynamicArchive() {
  return libexecFolder() / "libculprit-dynamic.a";
}

std::filesystem::path recorderArchive() {
  return libexecFolder() / "libculprit-recorder.a";
}

std::filesystem::path externalsArchive() {
  return libexecFolder() / "libculprit-externals.a";
}

std::filesystem::path instrumentedArchive() {
  return libexecFolder() / "libculprit-instrumented.a";
}

std::filesystem::path externalsBitcode() {
  return libexecFolder() / "libculprit-externals-bitcode.a";
}

std::filesystem::path instrumentedBitcode() {
  return libexecFolder() / "libculprit-instrumented-bitcode.a";
}

std::filesystem::path cppBitcode() {
  return libexecFolder() / "libculprit-cpp-bitcode.a";
}

std::filesystem::path cppVariablesArchive() {
  return libexecFolder() / "libculprit-cpp-variables.a";
}

std::filesystem::path frontObject() {
  return libexecFolder() / "culprit-front.o";
}

std::filesystem::path imageObject() {
  return libexecFolder() / "culprit-image.o";
}

const std::string &runtimeIdentity() {
  static const std::string identity = CacheKey()
                                          .addFile(runtimeArchive())
                                          .addFile(dynamicArchive())
                                          .addFile(recorderArchive())
                                          .addFile(externalsArchive())
                                          .addFile(instrumentedArchive())
                                          .addFile(externalsBitcode())
                                          .addFile(instrumentedBitcode())
                                          .addFile(cppBitcode())
                                          .addFile(cppVariablesArchive())
                                          .addFile(frontObject())
                                          .addFile(imageObject())
                                          .hex();
  return identity;
}

} // namespace culprit
