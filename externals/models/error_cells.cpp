// errno and h_errno: the program's are cells of its own (thread_cells.h), libc has others.
//
// libc's variable holds a value that no call leaves there, *unset*, until a call sets it. Each use
// of errno in the program asks for its address; what libc has set since is moved to the cell then.
// So the last to write wins, be it the program or libc. Code of foreign libraries asks here, too,
// and gets libc's variable, with the program's value in it.
//
// A program that keeps the address of errno does not ask (compiler/twin/kept_errno.h). It gets
// libc's variable: the one exception to that no memory of a program leads to libc's.
//
// In twins __errno_location is no constant function (compiler/memory/flatten.cpp): its address
// stays the same, but asking moves the value. A foreign function that has asked, then calls back
// into the program and then reads through the address that it has, may read *unset*.
#include "externals/models/error_cells.h"

#include "abi/contract.h"
#include "externals/external.h"
#include "externals/models/thread_cells.h"

#include <errno.h>
#include <netdb.h>

extern "C" __attribute__((weak, visibility("hidden"))) const char CULPRIT_ERRNO_IS_KEPT;

namespace culprit {
namespace {

constexpr int kUnset = -0x5ee1'0005;

/// A variable of libc, at the same distance from each thread's own place.
class LibcCell {
public:
  template <typename Find> int *get(Find find) {
    char *thread = static_cast<char *>(__builtin_thread_pointer());
    long distance = __atomic_load_n(&distance_, __ATOMIC_RELAXED);
    if (distance == 0) {
      distance = reinterpret_cast<char *>(find()) - thread;
      __atomic_store_n(&distance_, distance, __ATOMIC_RELAXED);
    }
    return reinterpret_cast<int *>(thread + distance);
  }

private:
  long distance_ = 0;
};

CULPRIT_OUTSIDE LibcCell g_error;
CULPRIT_OUTSIDE LibcCell g_hostError;

int *libcError() {
  return g_error.get([] { return CULPRIT_NEXT(__errno_location)(); });
}

int *libcHostError() {
  return g_hostError.get([] { return CULPRIT_NEXT(__h_errno_location)(); });
}

int *forProgram(int *theirs, int *cell) {
  if (*theirs != kUnset) {
    *cell = *theirs;
    *theirs = kUnset;
  }
  return cell;
}

int *forForeign(int *theirs, int ThreadCells::*cell) {
  if (*theirs == kUnset)
    *theirs = ownCells().*cell;
  return theirs;
}

} // namespace

void showErrorToLibc() {
  forForeign(libcError(), &ThreadCells::error);
}

CULPRIT_EXTERNAL int *__errno_location() {
  int *theirs = libcError();
  bool wantsCell = CULPRIT_CALLED_BY_PROGRAM && !&CULPRIT_ERRNO_IS_KEPT;
  return wantsCell ? forProgram(theirs, &ownCells().error)
                   : forForeign(theirs, &ThreadCells::error);
}

CULPRIT_EXTERNAL int *__h_errno_location() {
  int *theirs = libcHostError();
  return CULPRIT_CALLED_BY_PROGRAM ? forProgram(theirs, &ownCells().hostError)
                                   : forForeign(theirs, &ThreadCells::hostError);
}

CULPRIT_EXTERNAL void herror(const char *text) {
  forForeign(libcHostError(), &ThreadCells::hostError);
  CULPRIT_NEXT(herror)(text);
}

} // namespace culprit
