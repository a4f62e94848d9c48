// Registration of images: remembers them, and hands their sections to the modes.
#include "runtime/images.h"

#include "runtime/count.h"
#include "runtime/frame_work.h"
#include "runtime/hooks.h"

namespace culprit {
namespace {

constexpr uint64_t kMostImages = 1024;
ImageRecord g_images[kMostImages];
uint64_t g_count; ///< images register one after the other, under the dynamic loader's lock

} // namespace

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
  mapCounters(*image);
  placeGlobalGuards(*image);
}

} // namespace culprit
