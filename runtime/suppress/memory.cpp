// What LLVM would call memcpy, memmove and memset for, in builds with origins: those are twins
// there, which follow origins byte by byte.
//
// A program may fail in the middle. What was written by then has its origins, as with the twins: no
// piece goes over the end of a page. And what a debug register sees is the program's doing.
#include "runtime/heap_memory.h"
#include "runtime/hooks.h"
#include "runtime/suppress/reads.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/suppress.h"
#include "runtime/suppress/traces.h"
#include "runtime/system.h"

#include <string.h>

namespace culprit {
namespace {

/// Where the program goes on, while this works for it.
class ForProgram {
public:
  explicit ForProgram(void *caller) { g_workingFor = reinterpret_cast<uint64_t>(caller); }
  ~ForProgram() { g_workingFor = 0; }
};

uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/// How much of [address, address + size) is in the first page, or the last one.
uint64_t inFirstPage(uint64_t address, uint64_t size) {
  return least(kPage - address % kPage, size);
}
uint64_t inLastPage(uint64_t address, uint64_t size) {
  return least((address + size - 1) % kPage + 1, size);
}

} // namespace

uint64_t g_workingFor;

void __culprit_copy_memory(Ptr to, Ptr from, I64 size) {
  auto target = reinterpret_cast<uint64_t>(to), source = reinterpret_cast<uint64_t>(from);
  bool isUpward = target - source >= size;
  if (tracesCopies())
    traceCopies(target, source, size, __builtin_frame_address(0));
  for (uint64_t left = size; left > 0;) {
    uint64_t begin = isUpward ? size - left : 0;
    uint64_t part =
        isUpward ? least(inFirstPage(target + begin, left), inFirstPage(source + begin, left))
                 : least(inLastPage(target, left), inLastPage(source, left));
    uint64_t at = isUpward ? begin : left - part;
    ForProgram work(__builtin_return_address(0));
    memmove(pointerTo<char>(target + at), pointerTo<char>(source + at), part);
    if (checksReads())
      checkCopied(source + at, part, __builtin_return_address(0));
    copyOrigins(target + at, source + at, part);
    left -= part;
  }
}

void __culprit_fill_memory(Ptr to, I64 value, I64 size, I64 origin) {
  auto target = reinterpret_cast<uint64_t>(to);
  while (size > 0) {
    uint64_t part = inFirstPage(target, size);
    ForProgram work(__builtin_return_address(0));
    memset(pointerTo<char>(target), static_cast<int>(value), part);
    setOrigin(target, part, origin);
    target += part;
    size -= part;
  }
}

} // namespace culprit
