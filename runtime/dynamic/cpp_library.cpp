// See cpp_library.h.
#include "runtime/dynamic/cpp_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

namespace {

/// Where it is, once that is known.
uint64_t g_start, g_end;

} // namespace

// NOLINTNEXTLINE(bugprone-reserved-identifier)
bool __culprit_is_in_cpp_library(const void *place) {
  auto address = reinterpret_cast<uint64_t>(place);
  if (uint64_t end = __atomic_load_n(&g_end, __ATOMIC_ACQUIRE); end != 0)
    return address >= g_start && address < end;
  dl_find_object image;
  if (_dl_find_object(const_cast<void *>(place), &image) != 0 || !image.dlfo_link_map ||
      !strstr(image.dlfo_link_map->l_name, "/libstdc++.so"))
    return false;
  g_start = reinterpret_cast<uint64_t>(image.dlfo_map_start);
  __atomic_store_n(&g_end, reinterpret_cast<uint64_t>(image.dlfo_map_end), __ATOMIC_RELEASE);
  return true;
}
