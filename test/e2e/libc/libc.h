// What the programs of this folder share: calls that the compiler knows nothing about, and results
// with errno.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define CALL(function) (*(__typeof__(function) *volatile[]){function}[0])

static void number(const char *name, long value) {
  printf("%s: %ld errno %d\n", name, value, errno);
  errno = 0;
}
static void text(const char *name, const char *value) {
  printf("%s: \"%s\" errno %d\n", name, value ? value : "(null)", errno);
  errno = 0;
}
static void wide(const char *name, const wchar_t *value) {
  printf("%s: \"%ls\" errno %d\n", name, value ? value : L"(null)", errno);
  errno = 0;
}
static void real(const char *name, long double value) {
  printf("%s: %La errno %d\n", name, value, errno);
  errno = 0;
}
#define NUMBER(call) number(#call, (long)(call))
#define TEXT(call) text(#call, call)
#define WIDE(call) wide(#call, call)
#define REAL(call) real(#call, call)
