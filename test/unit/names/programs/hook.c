// Says what is allocated and freed, with the callers, as the runtime's record would. Foreign to the
// program: compiled without bitcode.
#include "say.h"
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void __real_free(void *block);

static void print(const char *what, void *block, size_t size) {
  void *callers[10];
  int count = backtrace(callers, 10);
  char line[400];
  int length = snprintf(line, sizeof line, "%s %p %zu", what, block, size);
  for (int i = 2; i < count; ++i)
    length += snprintf(line + length, sizeof line - length, " %p", callers[i]);
  line[length++] = '\n';
  if (write(1, line, length) != length)
    abort();
}

__attribute__((noinline)) void *__wrap_malloc(size_t size) {
  void *block = __real_malloc(size);
  print("block", block, size);
  return block;
}
__attribute__((noinline)) void *__wrap_calloc(size_t count, size_t size) {
  void *block = __real_calloc(count, size);
  print("block", block, count * size);
  return block;
}
__attribute__((noinline)) void __wrap_free(void *block) {
  print("free", block, 0);
  __real_free(block);
}
__attribute__((noinline)) void *_Znwm(size_t size) {
  void *block = __real_malloc(size);
  print("block", block, size);
  return block;
}
__attribute__((noinline)) void *_Znam(size_t size) {
  void *block = __real_malloc(size);
  print("block", block, size);
  return block;
}
__attribute__((noinline)) void _ZdlPv(void *block) {
  print("free", block, 0);
  __real_free(block);
}
__attribute__((noinline)) void _ZdlPvm(void *block, size_t size) {
  (void)size;
  print("free", block, 0);
  __real_free(block);
}

static void printLine(const char *what, const volatile void *address, const char *text) {
  char line[600];
  int length = snprintf(line, sizeof line, "%s %p %s\n", what, (void *)address, text);
  if (write(1, line, length) != length)
    abort();
}
void say(const volatile void *address, const char *text) {
  printLine("say", address, text);
}
void sayThreadLocal(const volatile void *address, const char *name) {
  printLine("tls", address, name);
}
void finish(void) {
  char byte;
  if (write(1, "end\n", 4) == 4)
    (void)!read(0, &byte, 1);
}
