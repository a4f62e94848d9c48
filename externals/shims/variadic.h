// Functions with "..." do what their forms with a va_list do.
#ifndef CULPRIT_EXTERNALS_SHIMS_VARIADIC_H
#define CULPRIT_EXTERNALS_SHIMS_VARIADIC_H

#include <stdarg.h>

/// Runs `call` with the arguments behind `last` as `arguments`, and returns the int that it gives.
#define CULPRIT_WITH_ARGUMENTS(last, call)                                                         \
  va_list arguments;                                                                               \
  va_start(arguments, last);                                                                       \
  int count = call;                                                                                \
  va_end(arguments);                                                                               \
  return count

#endif
