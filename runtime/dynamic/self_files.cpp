// Starting the program again by its own name: see ../self_path.cpp. libc has no second name for
// these functions, so they are looked up, which only dynamic programs can do.
#include "runtime/dynamic/next.h"
#include "runtime/hooks.h"
#include "runtime/self_path.h"

#include <unistd.h>

namespace culprit {

CULPRIT_EXPORT __attribute__((weak)) int execve(const char *path, char *const *arguments,
                                                char *const *environment) {
  static int (*next)(const char *, char *const *, char *const *);
  return nextFunction(next, "execve")(translateSelf(path), arguments, environment);
}

CULPRIT_EXPORT __attribute__((weak)) int execv(const char *path, char *const *arguments) {
  return execve(path, arguments, environ);
}

} // namespace culprit
