// See next.h.
//
// dlsym would do, but it clears the error that the program may ask dlerror for next, allocates and
// takes the loader's lock; functions here are called from signal handlers, too. So the symbol
// tables of the loaded libraries are read as the loader does it: in the order of loading, by the
// hash table that every library of today has, the version that new programs are linked with.
#include "runtime/dynamic/next.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace culprit {
namespace {

/// The layout of DT_GNU_HASH.
struct HashTable {
  uint32_t bucketCount;
  uint32_t firstSymbol;
  uint32_t bloomCount;
  uint32_t bloomShift;
  const uint32_t *buckets() const {
    return reinterpret_cast<const uint32_t *>(this + 1) + size_t{bloomCount} * 2;
  }
};

struct Symbols {
  const HashTable *hashes = nullptr;
  const ElfW(Sym) *symbols = nullptr;
  const char *names = nullptr;
  const uint16_t *versions = nullptr;
};

template <typename Target> const Target *at(uint64_t place) {
  return reinterpret_cast<const Target *>(place); // NOLINT(performance-no-int-to-ptr)
}

/// The loader has made addresses of what the file has as distances.
Symbols symbolsOf(const ElfW(Dyn) * entry) {
  Symbols found;
  for (; entry->d_tag != DT_NULL; ++entry)
    switch (entry->d_tag) {
    case DT_GNU_HASH:
      found.hashes = at<HashTable>(entry->d_un.d_ptr);
      break;
    case DT_SYMTAB:
      found.symbols = at<ElfW(Sym)>(entry->d_un.d_ptr);
      break;
    case DT_STRTAB:
      found.names = at<char>(entry->d_un.d_ptr);
      break;
    case DT_VERSYM:
      found.versions = at<uint16_t>(entry->d_un.d_ptr);
      break;
    default:
      break;
    }
  return found;
}

uint32_t hashOf(const char *name) {
  uint32_t hash = 5381;
  for (; *name; ++name)
    hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

bool isWanted(const Symbols &library, uint32_t index, const char *name) {
  constexpr uint16_t kHidden = 0x8000; ///< an old version
  const ElfW(Sym) &symbol = library.symbols[index];
  return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
         (!library.versions || (library.versions[index] & kHidden) == 0) &&
         strcmp(library.names + symbol.st_name, name) == 0;
}

const ElfW(Sym) * find(const Symbols &library, const char *name, uint32_t hash) {
  if (!library.hashes || !library.symbols || !library.names || library.hashes->bucketCount == 0)
    return nullptr;
  const HashTable &table = *library.hashes;
  const uint32_t *chain = table.buckets() + table.bucketCount;
  uint32_t index = table.buckets()[hash % table.bucketCount];
  if (index < table.firstSymbol)
    return nullptr;
  for (;; ++index) {
    uint32_t entry = chain[index - table.firstSymbol];
    if ((entry | 1) == (hash | 1) && isWanted(library, index, name))
      return &library.symbols[index];
    if ((entry & 1) != 0)
      return nullptr;
  }
}

const link_map *firstImage() {
  for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_DEBUG && entry->d_un.d_ptr != 0)
      return at<r_debug>(entry->d_un.d_ptr)->r_map;
  return nullptr;
}

/// The kernel's library has distances where others have addresses.
bool isReadable(const link_map *image) {
  return image->l_ld && strncmp(image->l_name, "linux-vdso", 10) != 0;
}

} // namespace
} // namespace culprit

// NOLINTNEXTLINE(bugprone-reserved-identifier)
void *__culprit_find_next(const char *name) {
  using namespace culprit;
  uint32_t hash = hashOf(name);
  const link_map *first = firstImage();
  for (const link_map *image = first ? first->l_next : nullptr; image; image = image->l_next) {
    if (!isReadable(image))
      continue;
    const ElfW(Sym) *symbol = find(symbolsOf(image->l_ld), name, hash);
    if (!symbol)
      continue;
    auto *place = const_cast<char *>(at<char>(image->l_addr + symbol->st_value));
    if (ELF64_ST_TYPE(symbol->st_info) != STT_GNU_IFUNC)
      return place;
    return reinterpret_cast<void *(*)()>(place)();
  }
  return nullptr;
}
