// Registration of images: remembers them, and hands their sections to the modes.
#include "runtime/images.h"

#include "runtime/count.h"
#include "runtime/frame_work.h"
#include "runtime/hooks.h"

#include <elf.h>

namespace culprit {
namespace {

constexpr uint64_t kMostImages = 1024;
ImageRecord g_images[kMostImages];
uint64_t g_count; ///< images register one after the other, under the dynamic loader's lock

struct Range {
  uint64_t begin;
  uint64_t end;
};
Range g_libraries[kMostImages];
uint64_t g_libraryCount; ///< written last: others read without a lock

/// From the program headers: what the image takes up in memory.
Range extentOf(const ImageRecord &image) {
  const auto *header = static_cast<const Elf64_Ehdr *>(image.base);
  auto begin = reinterpret_cast<uint64_t>(image.base);
  const auto *bytes = static_cast<const char *>(image.base);
  const auto *segments = reinterpret_cast<const Elf64_Phdr *>(bytes + header->e_phoff);
  uint64_t end = 0;
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (uint64_t last = segments[i].p_vaddr + segments[i].p_memsz;
        segments[i].p_type == PT_LOAD && last > end)
      end = last;
  return {begin, begin + end};
}

/// A library may be unloaded and another loaded in its place.
void addLibrary(const ImageRecord &image) {
  Range range = extentOf(image);
  uint64_t slot = 0;
  while (slot < g_libraryCount &&
         (g_libraries[slot].end <= range.begin || g_libraries[slot].begin >= range.end))
    ++slot;
  if (slot == kMostImages)
    return;
  g_libraries[slot] = range;
  if (slot == g_libraryCount)
    __atomic_store_n(&g_libraryCount, slot + 1, __ATOMIC_RELEASE);
}

} // namespace

bool isInLibrary(const void *place) {
  auto wanted = reinterpret_cast<uint64_t>(place);
  uint64_t count = __atomic_load_n(&g_libraryCount, __ATOMIC_ACQUIRE);
  for (uint64_t i = 0; i < count; ++i)
    if (wanted - g_libraries[i].begin < g_libraries[i].end - g_libraries[i].begin)
      return true;
  return false;
}

const ImageRecord *imageAt(const void *base) {
  for (uint64_t i = 0; i < g_count; ++i)
    if (g_images[i].base == base)
      return &g_images[i];
  return nullptr;
}

uint64_t imageCount() {
  return g_count;
}

const ImageRecord &imageNumber(uint64_t number) {
  return g_images[number];
}

void __culprit_register_image(Ptr record) {
  auto *image = static_cast<const ImageRecord *>(record);
  if (g_count < kMostImages)
    g_images[g_count++] = *image;
  if (image->index != 0 && image->base)
    addLibrary(*image);
  mapCounters(*image);
  placeGlobalGuards(*image);
}

} // namespace culprit
