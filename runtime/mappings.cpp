// mmap, mremap and shmat as the program calls them: see mapping_places.h. What libraries map lies
// where the kernel puts it.
#include "runtime/hooks.h"
#include "runtime/images.h"
#include "runtime/mapping_places.h"
#include "runtime/recording.h"
#include "runtime/system.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/types.h>

namespace culprit {

uint64_t g_nextMapping = abi::kMappingsBase;
uint64_t g_mappingCount;

namespace {

struct MappingCall {
  long number;
  uint64_t arguments[6];
};

long makeCall(const MappingCall &call) {
  const uint64_t *given = call.arguments;
  return programSyscall(call.number, static_cast<long>(given[0]), static_cast<long>(given[1]),
                        static_cast<long>(given[2]), static_cast<long>(given[3]),
                        static_cast<long>(given[4]), static_cast<long>(given[5]));
}

/// The recorder chooses for itself.
bool isForProgram(const void *caller) {
  return !isRecorded() && isInImage(caller);
}

void *asResult(long result) {
  if (result < 0 && result >= -4095) {
    errno = static_cast<int>(-result);
    return MAP_FAILED;
  }
  return pointerTo<void>(static_cast<uint64_t>(result));
}

MappingCall callOfMap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
  return {SYS_mmap,
          {reinterpret_cast<uint64_t>(place), size, static_cast<uint64_t>(protection),
           static_cast<uint64_t>(flags), static_cast<uint64_t>(file),
           static_cast<uint64_t>(offset)}};
}

/// Where a segment of shared memory goes; 0: the kernel's choice is as good, or it has none.
uint64_t choosePlaceOf(int segment) {
  shmid_ds facts = {};
  bool isKnown = programSyscall(SYS_shmctl, segment, IPC_STAT, address(&facts)) == 0;
  return isKnown ? chooseMappingPlace(facts.shm_segsz, 0) : 0;
}

void *map(const MappingCall &call, const void *caller) {
  return asResult(isForProgram(caller) ? makeMapping(call, makeCall) : makeCall(call));
}

} // namespace

CULPRIT_EXPORT __attribute__((weak)) void *mmap(void *place, size_t size, int protection, int flags,
                                                int file, off_t offset) noexcept {
  return map(callOfMap(place, size, protection, flags, file, offset), __builtin_return_address(0));
}

CULPRIT_EXPORT __attribute__((weak)) void *mmap64(void *place, size_t size, int protection,
                                                  int flags, int file, off64_t offset) noexcept {
  return map(callOfMap(place, size, protection, flags, file, offset), __builtin_return_address(0));
}

CULPRIT_EXPORT __attribute__((weak)) void *mremap(void *old, size_t size, size_t wanted, int flags,
                                                  ...) noexcept {
  va_list more;
  va_start(more, flags);
  void *place = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void *) : nullptr;
  va_end(more);
  MappingCall call = {SYS_mremap,
                      {reinterpret_cast<uint64_t>(old), size, wanted, static_cast<uint64_t>(flags),
                       reinterpret_cast<uint64_t>(place), 0}};
  return asResult(isForProgram(__builtin_return_address(0)) ? moveMapping(call, makeCall)
                                                            : makeCall(call));
}

CULPRIT_EXPORT __attribute__((weak)) void *shmat(int segment, const void *wanted,
                                                 int flags) noexcept {
  bool isOurs = !wanted && isForProgram(__builtin_return_address(0));
  if (uint64_t place = isOurs ? choosePlaceOf(segment) : 0) {
    long result = programSyscall(SYS_shmat, segment, static_cast<long>(place), flags);
    if (result != -EINVAL)
      return asResult(result);
  }
  return asResult(programSyscall(SYS_shmat, segment, reinterpret_cast<long>(wanted), flags));
}

} // namespace culprit
