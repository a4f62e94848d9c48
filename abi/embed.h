// What culprit-cc leaves in objects and executables: the format of section `.culprit.bc`.
//
// Every object compiled by culprit-cc holds one entry with the module's bitcode, taken at the very
// start of clang's pipeline; every link adds one entry with the link command and its inputs. The
// linker concatenates the sections of its inputs in link order, so entries delimit themselves:
// a fixed header, then `storedSize` bytes. A file can hold several sections of the name (`ld -r`
// keeps sections apart that other files brought with other flags): all of them count, in order. The
// file's own link record is the last entry of that kind, but not always the last entry: LLD puts
// what link-time optimisation made after all other input. The section is not ALLOC: it costs
// nothing at run time, and `strip` keeps it. The name is our own because GNU ar hands `.llvmbc` to
// whichever LLVM plugin is installed.
//
// Writers: compiler/embed (modules, foreign marks), compiler/wrapper (link records).
// Reader: compiler/loader.
#ifndef CULPRIT_ABI_EMBED_H
#define CULPRIT_ABI_EMBED_H

#include <cstdint>

namespace culprit::abi {

inline constexpr char kSectionName[] = ".culprit.bc";
inline constexpr char kEntryMagic[8] = {'\x7f', 'C', 'U', 'L', 'P', 'R', 'I', 'T'};
inline constexpr uint32_t kEmbedVersion = 3;

enum class EntryKind : uint32_t {
  Module = 1,  ///< payload: LLVM bitcode of one translation unit
  Foreign = 2, ///< payload: JSON {"source", "reason"}: compiled here, but kept out of analysis
  Link = 3,    ///< payload: JSON link record, see docs/FORMATS.md
};

/// How a payload is stored.
enum class Encoding : uint32_t {
  Plain = 0,  ///< zstd over the payload
  Packed = 2, ///< bitcode as compiler/embed/bitcode_pack.h packs it; 1 was used by version 2
};

/// Little-endian, no padding. The payload follows, stored as `encoding` says.
struct EntryHeader {
  char magic[8];
  uint32_t version;    ///< kEmbedVersion of the writer
  uint32_t kind;       ///< EntryKind
  uint32_t llvmMajor;  ///< LLVM that wrote the bitcode; 0 for JSON payloads
  uint32_t encoding;   ///< Encoding
  uint64_t storedSize; ///< bytes of the payload as stored
  uint64_t rawSize;    ///< bytes of the payload itself
  uint8_t id[16];      ///< first 16 bytes of BLAKE3 over the raw payload
};
static_assert(sizeof(EntryHeader) == 56);

} // namespace culprit::abi
#endif
