// Elements of the standard library's containers, read from memory in libstdc++'s layout.
#ifndef CULPRIT_ANALYSIS_NAMES_CONTAINERS_H
#define CULPRIT_ANALYSIS_NAMES_CONTAINERS_H

#include "analysis/names/memory_reader.h"
#include "analysis/names/source_type.h"

#include <functional>

namespace culprit {

inline constexpr uint64_t kOpenSize = uint64_t{1} << 40; ///< as far as the block goes

/// Memory that a container owns outside of itself: one array of elements, or one node.
struct OwnedMemory {
  uint64_t address = 0;             ///< of the block
  uint64_t size = 0;                ///< bytes in the block that are the container's, or kOpenSize
  uint64_t values = 0;              ///< offset of the first element
  const SourceType *type = nullptr; ///< of an element; may be null
  uint64_t count = 0;               ///< elements that exist; more may have room
  Subject subject;                  ///< the element, or of arrays the container itself
  bool isArray = false;
  uint64_t firstIndex = 0; ///< of arrays: what the first element is called

  Subject element(uint64_t index) const {
    return isArray ? subject.element(std::to_string(firstIndex + index)) : subject;
  }
};

/// Whether a type is one of those that are understood: vector, basic_string, deque, list, map, set
/// and their multi and unordered kin, unique_ptr and shared_ptr.
bool isContainer(const SourceType &type);

/// Calls `visit` with each block of the container at `address` until it returns false. Memory that
/// makes no sense ends the walk.
void visitOwnedMemory(const SourceType &type, uint64_t address, const Subject &subject,
                      const MemoryReader &reader,
                      const std::function<bool(const OwnedMemory &)> &visit);

} // namespace culprit
#endif
