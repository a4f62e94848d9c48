// dlopen("$ORIGIN/...") means the folder of the program or library that calls, not of its twin.
//
// libc tells the caller by the return address, and looks at the caller's run path too. So this is
// no function that calls libc's but a detour: it changes the name and jumps on.
#include "runtime/dynamic/next.h"
#include "runtime/hooks.h"
#include "runtime/images.h"
#include "runtime/start.h"

#include <dlfcn.h>
#include <string.h>

namespace culprit {
namespace {

constexpr size_t kLongest = 8192;
thread_local char g_name[kLongest];

/// Appends `text` at `end`; null when there is no room.
char *append(char *end, const char *text, size_t length) {
  if (!end || end + length >= g_name + kLongest)
    return nullptr;
  memcpy(end, text, length);
  return end + length;
}

/// Length of the word for the origin that `text` starts with, or 0.
size_t originWord(const char *text) {
  if (strncmp(text, "${ORIGIN}", 9) == 0)
    return 9;
  return strncmp(text, "$ORIGIN", 7) == 0 ? 7 : 0;
}

const char *originOfCaller(const void *caller) {
  Dl_info info;
  if (dladdr(caller, &info) == 0)
    return nullptr;
  const ImageRecord *image = imageAt(info.dli_fbase);
  return image ? originOf(image->index) : nullptr;
}

} // namespace

extern "C" {

__attribute__((visibility("hidden"), used)) const char *__culprit_dlopen_name(const char *name,
                                                                              const void *caller) {
  const char *origin = name && strstr(name, "ORIGIN") ? originOfCaller(caller) : nullptr;
  if (!origin)
    return name;
  char *end = g_name;
  for (const char *rest = name; *rest;) {
    size_t word = originWord(rest);
    end = word ? append(end, origin, strlen(origin)) : append(end, rest, 1);
    rest += word ? word : 1;
  }
  if (!end)
    return name;
  *end = 0;
  return g_name;
}

__attribute__((visibility("hidden"), used)) void *__culprit_next_dlopen() {
  static void *next;
  return nextFunction(next, "dlopen");
}
}

asm(R"(
  .text
  .weak dlopen
  .type dlopen, @function
dlopen:
  .cfi_startproc
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  movq 24(%rsp), %rsi
  call __culprit_dlopen_name
  movq %rax, 16(%rsp)
  call __culprit_next_dlopen
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  jmp *%rax
  .cfi_endproc
  .size dlopen, .-dlopen
)");

} // namespace culprit
