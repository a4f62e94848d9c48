// See thread_blocks.h. The dynamic loader numbers the images that have thread-locals; each thread's
// control block leads to a table by these numbers, the "dynamic thread vector", in which glibc
// notes the thread's block of an image when the thread has one. Everything is read with care: other
// threads go on, and the program may have broken it.
#include "runtime/thread_blocks.h"

#include "runtime/images.h"
#include "runtime/safe_read.h"
#include "runtime/thread_state.h"

#include <elf.h>
#include <link.h>

namespace culprit {
namespace {

constexpr uint64_t kVectorInBlock = 8;    ///< tcbhead_t::dtv
constexpr uint64_t kVectorEntrySize = 16; ///< dtv_t
constexpr uint64_t kNoBlock = UINT64_MAX; ///< TLS_DTV_UNALLOCATED

struct Module {
  uint64_t image; ///< of the build's images
  uint64_t number;
};

struct Modules {
  Module all[abi::kMostLoadedImages];
  uint64_t count;
  bool isBehindExecutable;
};

/// The image with these program headers, or null.
const ImageRecord *imageWith(const Elf64_Phdr *headers) {
  for (uint64_t i = 0; i < imageCount(); ++i) {
    const ImageRecord &image = imageNumber(i);
    const auto *start = static_cast<const char *>(image.base);
    if (image.index != 0 && start &&
        reinterpret_cast<const Elf64_Phdr *>(
            start + reinterpret_cast<const Elf64_Ehdr *>(start)->e_phoff) == headers)
      return &image;
  }
  return nullptr;
}

int addModule(dl_phdr_info *info, size_t, void *data) {
  auto &modules = *static_cast<Modules *>(data);
  bool isExecutable = !modules.isBehindExecutable;
  modules.isBehindExecutable = true;
  const ImageRecord *image = isExecutable ? nullptr : imageWith(info->dlpi_phdr);
  if ((isExecutable || image) && info->dlpi_tls_modid != 0)
    modules.all[modules.count++] = {isExecutable ? 0 : image->index, info->dlpi_tls_modid};
  return modules.count == abi::kMostLoadedImages ? 1 : 0;
}

/// 0: the thread has none.
uint64_t blockOf(const LiveThread &thread, uint64_t module) {
  uint64_t vector = 0;
  uint64_t block = 0;
  uint64_t length = 0;
  // The entry before the first says how many there are.
  if (!readWord(thread.pointer + kVectorInBlock, vector) ||
      !readWord(vector - kVectorEntrySize, length) || module > length ||
      !readWord(vector + module * kVectorEntrySize, block))
    return 0;
  return block == kNoBlock ? 0 : block;
}

} // namespace

void recordThreadBlocks(abi::FailureRecord &record) {
  Modules modules = {};
  dl_iterate_phdr(addModule, &modules);
  record.threadBlockCount = 0;
  LiveThread thread = {};
  for (uint64_t place = 0; nextLiveThread(place, thread);)
    for (uint64_t i = 0; i < modules.count; ++i)
      if (uint64_t block = blockOf(thread, modules.all[i].number);
          block != 0 && record.threadBlockCount < abi::kMostThreadBlocks)
        record.threadBlocks[record.threadBlockCount++] = {
            block, static_cast<uint32_t>(modules.all[i].image), thread.number};
}

} // namespace culprit
