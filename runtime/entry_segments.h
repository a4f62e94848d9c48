// The program headers of the executable, as the kernel names their place.
#ifndef CULPRIT_RUNTIME_ENTRY_SEGMENTS_H
#define CULPRIT_RUNTIME_ENTRY_SEGMENTS_H

#include "runtime/entry_block.h"

namespace culprit {

template <typename Visit> void forEachSegment(const EntryBlock &block, Visit visit) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto *segments = reinterpret_cast<const Elf64_Phdr *>(block.auxiliary(AT_PHDR));
  for (uint64_t i = 0; segments && i < block.auxiliary(AT_PHNUM); ++i)
    visit(segments[i]);
}

} // namespace culprit
#endif
