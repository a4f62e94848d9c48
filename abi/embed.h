// What culprit-cc leaves in objects and executables: the format of section `.culprit.bc`.
//
// Every object compiled by culprit-cc holds one entry with the module's bitcode, taken at the very
// start of clang's pipeline; every link adds one entry with the link command and its inputs. The
// linker concatenates the sections of its inputs in link order, so entries delimit themselves:
// a fixed header, then `storedSize` bytes. The section is not ALLOC: it costs nothing at run time,
// and `strip` keeps it. The name is our own because GNU ar hands `.llvmbc` to whichever LLVM plugin
// is installed.
//
// Writers: compiler/embed (modules, foreign marks), compiler/wrapper (link records).
// Reader: compiler/loader.
#ifndef CULPRIT_ABI_EMBED_H
#define CULPRIT_ABI_EMBED_H

#include <cstdint>

namespace culprit::abi {

inline constexpr char kSectionName[] = ".culprit.bc";
inline constexpr char kEntryMagic[8] = {'\x7f', 'C', 'U', 'L', 'P', 'R', 'I', 'T'};
inline constexpr uint32_t kEmbedVersion = 1;

enum class EntryKind : uint32_t {
  Module = 1,  ///< payload: LLVM bitcode of one translation unit
  Foreign = 2, ///< payload: JSON {"source", "reason"}: compiled here, but kept out of analysis
  Link = 3,    ///< payload: JSON link record, see docs/FORMATS.md
};

/// Little-endian, no padding. The payload follows, compressed with zstd.
struct EntryHeader {
  char magic[8];
  uint32_t version;    ///< kEmbedVersion of the writer
  uint32_t kind;       ///< EntryKind
  uint32_t llvmMajor;  ///< LLVM that wrote the bitcode; 0 for JSON payloads
  uint32_t reserved;   ///< 0
  uint64_t storedSize; ///< bytes of the compressed payload
  uint64_t rawSize;    ///< bytes of the payload after decompression
  uint8_t id[16];      ///< first 16 bytes of BLAKE3 over the raw payload
};
static_assert(sizeof(EntryHeader) == 56);

} // namespace culprit::abi
#endif
