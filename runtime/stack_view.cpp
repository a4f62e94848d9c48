// See stack_view.h.
#include "runtime/stack_view.h"

#include "runtime/frames.h"
#include "runtime/images.h"
#include "runtime/safe_read.h"
#include "runtime/system.h"
#include "runtime/thread_slots.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

enum class MapsReader { None, Program, Library };

MapsReader g_mapsReader;
__thread uint64_t t_begin __attribute__((tls_model("initial-exec"))); ///< 0: it has not asked

/// Where the stack would have ended natively, if that were the stack of frames.
uint64_t endOfFrames() {
  struct rlimit limit = {};
  bool isKnown = ownSlot() == 0 &&
                 rawSyscall(SYS_prlimit64, 0, RLIMIT_STACK, 0, address(&limit)) == 0 &&
                 limit.rlim_cur < framesEnd(0) - lowestFrame();
  return isKnown ? framesEnd(0) - limit.rlim_cur : lowestFrame();
}

/// The nearest place to the stack pointer that is on the machine's stack: below that of the first
/// thread there is a page for libc to see (entry.cpp), which is none of the stack's to its readers.
uint64_t lastOnStack(uint64_t stackPointer) {
  constexpr uint64_t kPage = 4096;
  constexpr uint64_t kLargestFrame = uint64_t{1} << 30;
  uint64_t place = stackPointer & ~(kPage - 1);
  while (!isReadable(place) && place < stackPointer + kLargestFrame)
    place += kPage;
  return place;
}

} // namespace

void noteStackBegin(uint64_t lowest) {
  t_begin = lowest;
}

void noteOpened(const char *path, const void *caller) {
  if (strcmp(path, "/proc/self/maps") == 0)
    g_mapsReader = isInImage(caller) ? MapsReader::Program : MapsReader::Library;
}

uint64_t exhaustedAddress(uint64_t where, uint64_t stackPointer) {
  constexpr uint64_t kWord = sizeof(uint64_t);
  if (t_begin != 0)
    return t_begin - kWord;
  if (g_mapsReader == MapsReader::Program && lowestFrame() != 0)
    return endOfFrames() - kWord;
  return g_mapsReader == MapsReader::Library ? lastOnStack(stackPointer) : where;
}

} // namespace culprit
