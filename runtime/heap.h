// The heap of the process that the runtime is in: heap_arena.h with a lock, call stacks and
// failures.
//
// Functions that take a `frame` are called from a function that the program called and that has
// its frame there: the call stack starts with its return address.
#ifndef CULPRIT_RUNTIME_HEAP_H
#define CULPRIT_RUNTIME_HEAP_H

#include "abi/failure.h"
#include "abi/memory_map.h"
#include "runtime/heap_layout.h"

#include <stddef.h>
#include <stdint.h>

namespace culprit {

/// Before any constructor.
void startHeap(const HeapLayout &layout);

inline bool isHeapAddress(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer) - abi::kHeapBase < abi::kHeapLimit - abi::kHeapBase;
}

/// Null and ENOMEM when there is no memory.
void *heapAllocate(size_t size, size_t alignment, bool isZeroed, const void *frame);
/// Like realloc for a block of the heap and a size that is not 0.
void *heapResize(void *block, size_t size, const void *frame);
/// Fails unless it is a live block, whatever the address.
void heapRelease(void *block, const void *frame);
size_t heapUsableSize(void *block, const void *frame);

struct HeapUse {
  uint64_t mapped; ///< bytes got from the system
  uint64_t free;   ///< of these
};
HeapUse heapUse();

/// The live or freed block that holds `address`, else the one that it is nearest to: that ends
/// before it or starts after it. False if there is none, or `address` is not in the heap. Only
/// reads; may be called from signal handlers.
bool describeBlock(uint64_t address, abi::FailureBlock &block);

/// Whether a header or guard is broken: `word`, and the block in front of it, if there is one. For
/// a program that has failed: takes no lock.
bool findBrokenWord(abi::FailureWord &word, abi::FailureBlock &before);

/// How many bytes of guard words are behind each block.
uint64_t heapGuard();
/// Bytes of the heap's own in front of each block.
uint64_t heapHeader();

/// Whether the last allocation, of all threads, has failed for lack of memory.
bool ranOutOfMemory();

} // namespace culprit
#endif
