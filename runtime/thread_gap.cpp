// What lies between the program's thread-locals and the runtime's: the linker puts thread-locals of
// all files one after the other, so who runs past one of the program's comes here first. This file
// is the first of its archive.
#include <stdint.h>

namespace culprit {
namespace {

constexpr uint64_t kGap = 4096;

__attribute__((used, retain)) __thread char t_gap[kGap];

/// It has a value, so that `.tdata` is never empty: without it GNU ld takes .tbss for the begin of
/// thread-locals, also when a layout's own section is before it. The runtime has no others there:
/// what is in .tbss comes behind.
__attribute__((used, retain)) __thread uint64_t t_notEmpty = 1;

} // namespace
} // namespace culprit
