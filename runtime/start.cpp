// Start of an analysed program, before any constructor: the program must find the environment and
// the name of itself that it would have had natively.
//
// The host starts a twin with one extra variable at the end of the environment (kStartVariable)
// and, where twin libraries are to be found first, a changed or added LD_LIBRARY_PATH. Both are
// undone here, in .preinit_array, which runs before the constructors of all shared libraries. The
// words of the variable are separated by '\x1f':
//   program=PATH       the user's program
//   counts=FOLDER      where counters go
//   path=VALUE         LD_LIBRARY_PATH as it was; absent: it was not set
//   twins              LD_LIBRARY_PATH was changed
#include "runtime/start.h"

#include "abi/contract.h"
#include "runtime/hooks.h"
#include "runtime/image_record.h"

#include <elf.h>
#include <string.h>

extern "C" void __culprit_describe_image(culprit::ImageRecord *);

namespace culprit {

extern "C" __attribute__((visibility("default"))) char CULPRIT_ABI_VERSION_CHECK = 0;

/// Until layouts say otherwise, fresh scalars read as zero.
I64 __culprit_uninitialised = 0;

namespace {

StartInfo g_start;

const char *valueAfter(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : nullptr;
}

struct Words {
  const char *libraryPath = nullptr; ///< "LD_LIBRARY_PATH=VALUE" as it was
  bool changedPath = false;
};

/// Splits the host's words in place.
Words parse(char *text) {
  static char restored[1 << 16];
  Words words;
  while (text && *text) {
    char *next = strchr(text, '\x1f');
    if (next)
      *next++ = 0;
    if (const char *program = valueAfter(text, "program="))
      g_start.program = program;
    else if (const char *counts = valueAfter(text, "counts="))
      g_start.counts = counts;
    else if (const char *path = valueAfter(text, "path=");
             path && strlen(path) + sizeof "LD_LIBRARY_PATH=" < sizeof restored) {
      strcpy(restored, "LD_LIBRARY_PATH=");
      strcat(restored, path);
      words.libraryPath = restored;
    } else if (strcmp(text, "twins") == 0)
      words.changedPath = true;
    text = next;
  }
  return words;
}

/// Removes our variable, and puts LD_LIBRARY_PATH back where it was.
void restoreEnvironment(char **environment) {
  Words words;
  for (char **slot = environment; *slot; ++slot)
    if (strncmp(*slot, abi::kStartVariable, strlen(abi::kStartVariable)) == 0 &&
        (*slot)[strlen(abi::kStartVariable)] == '=')
      words = parse(*slot + strlen(abi::kStartVariable) + 1);
  char **out = environment;
  for (char **slot = environment; *slot; ++slot) {
    if (valueAfter(*slot, abi::kStartVariable) && (*slot)[strlen(abi::kStartVariable)] == '=')
      continue;
    if (words.changedPath && valueAfter(*slot, "LD_LIBRARY_PATH=")) {
      if (words.libraryPath)
        *out++ = const_cast<char *>(words.libraryPath);
      continue;
    }
    *out++ = *slot;
  }
  *out = nullptr;
}

/// AT_EXECFN is what the program was started as; the auxiliary vector starts behind `end`, the null
/// that ends the environment.
void restoreExecName(char **end, const char *program) {
  for (auto *entry = reinterpret_cast<Elf64_auxv_t *>(end + 1); entry->a_type != AT_NULL; ++entry)
    if (entry->a_type == AT_EXECFN && program)
      entry->a_un.a_val = reinterpret_cast<uint64_t>(program);
}

/// `environment` is the array on the stack; its end, and with it the auxiliary vector, is found
/// before entries are taken out.
void start(int, char **, char **environment) {
  char **end = environment;
  while (*end)
    ++end;
  restoreEnvironment(environment);
  restoreExecName(end, g_start.program);
  ImageRecord record;
  __culprit_describe_image(&record);
  __culprit_register_image(&record);
}

__attribute__((section(".preinit_array"), used)) void (*const startEntry)(int, char **,
                                                                          char **) = start;

} // namespace

const StartInfo &startInfo() {
  return g_start;
}

} // namespace culprit
