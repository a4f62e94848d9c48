// Start of an analysed program, before any constructor: the program must find the environment and
// the name of itself that it would have had natively.
//
// The host starts a twin with one extra variable at the end of the environment (kStartVariable)
// and, where twin libraries are to be found first, their folder in front of LD_LIBRARY_PATH. Both
// are undone here, in .preinit_array, which runs before the constructors of all shared libraries.
// The words of the variable are separated by '\x1f':
//   program=PATH     the user's program, its real path: /proc/self/exe
//   started=NAME     what would have been handed to execve: AT_EXECFN
//   watcher=ID       process id of culprit, which is the program's parent
//   parent=ID        process id of culprit's parent
//   origin=FOLDER    what $ORIGIN means in an image; one per image, in their order
//   counts=FOLDER    where counters go
//   frames=FILE      guard words and places of return slots (abi/frame_work.h)
//   uninitialised=N  byte that locals hold before they are defined
//   failure=FILE     where the failure record goes
//   observed=FILE    where it is noted what unknown functions do
//   suppress=FILE    what to suppress, and where it is noted what was seen
//   heap=SETTINGS    layout of the heap: heap_layout.h
//   exits            the end of the program goes into the failure record, too
//   deep             code is not optimised: keep longer call stacks of heap blocks
//   twins=FOLDER     is in front of LD_LIBRARY_PATH
//   path             LD_LIBRARY_PATH was set
//   recording=FILE   the ring of a recording; this and those that follow: runtime/recorder
//   recordinglog=FILE  its log, which the program may write to
//   replay=FILE      events to replay; replaysize=N bytes of them, replaypieces=N places of them
//   replaylog=FILE   where more of them are; replaylogsize=N bytes of it
//   replaystate=FILE how the replay goes (abi/recording.h)
//   replayfiles=FOLDER  contents of files that the program mapped; replayloader=FILE one of them
//   replayfrom=FILE  memory to start from; replayfromsize=N bytes of it
//   replaypaths=FILE where the program's paths are noted (abi/altered_run.h)
//   leave=FILE       where to leave the recording, and what to do then; leavesize=N bytes of it
#include "runtime/start.h"

#include "abi/contract.h"
#include "runtime/collector.h"
#include "runtime/entry_fence.h"
#include "runtime/failure.h"
#include "runtime/frame_work.h"
#include "runtime/heap.h"
#include "runtime/hooks.h"
#include "runtime/image_record.h"
#include "runtime/observe.h"
#include "runtime/recording.h"
#include "runtime/stack_walk.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/suppress.h"
#include "runtime/system.h"
#include "runtime/thread_gap.h"
#include "runtime/thread_slots.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void __culprit_describe_image(culprit::ImageRecord *);

namespace culprit {

extern "C" __attribute__((visibility("default"))) char CULPRIT_ABI_VERSION_CHECK = 0;

/// Until layouts say otherwise, fresh scalars read as zero.
I64 __culprit_uninitialised = 0;
I64 __culprit_fills_locals = 0;

namespace {

constexpr size_t kMostImages = 1024;

StartInfo g_start;
const char *g_origins[kMostImages];
size_t g_originCount;

const char *valueAfter(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : nullptr;
}

struct Words {
  const char *started = nullptr;
  const char *twins = nullptr;
  const char *frames = nullptr;
  int uninitialised = -1;
  uint32_t stackLevels = kUsualLevels;
  bool hadPath = false;
};

/// The host said something that this runtime does not understand.
void refuse(const char *word) {
  static const char kMessage[] = "culprit: error: the runtime does not understand its start word ";
  rawSyscall(SYS_write, 2, address(kMessage), sizeof kMessage - 1);
  rawSyscall(SYS_write, 2, address(word), static_cast<long>(strlen(word)));
  rawSyscall(SYS_write, 2, address("\n"), 1);
  rawSyscall(SYS_exit_group, 125);
}

void takeWord(const char *word, Words &words) {
  if (const char *program = valueAfter(word, "program="))
    g_start.program = program;
  else if (const char *counts = valueAfter(word, "counts="))
    g_start.counts = counts;
  else if (const char *watcher = valueAfter(word, "watcher="))
    g_start.watcher = atoi(watcher);
  else if (const char *parent = valueAfter(word, "parent="))
    g_start.parent = atoi(parent);
  else if (const char *frames = valueAfter(word, "frames="))
    words.frames = frames;
  else if (const char *byte = valueAfter(word, "uninitialised="))
    words.uninitialised = atoi(byte);
  else if (const char *failure = valueAfter(word, "failure="))
    g_start.failure = failure;
  else if (const char *observed = valueAfter(word, "observed="))
    startObserving(observed);
  else if (const char *suppress = valueAfter(word, "suppress="))
    startSuppressing(suppress);
  else if (const char *heap = valueAfter(word, "heap="))
    parseHeapLayout(heap, g_start.heap) ? void() : refuse(word);
  else if (const char *started = valueAfter(word, "started="))
    words.started = started;
  else if (const char *twins = valueAfter(word, "twins="))
    words.twins = twins;
  else if (const char *origin = valueAfter(word, "origin="))
    g_originCount < kMostImages ? g_origins[g_originCount++] = origin : nullptr;
  else if (strcmp(word, "exits") == 0)
    recordExits();
  else if (strcmp(word, "deep") == 0)
    words.stackLevels = abi::kMostBlockCallers;
  else if (strcmp(word, "path") == 0)
    words.hadPath = true;
}

/// Splits a copy of the host's words, and blanks the words themselves, which /proc/self/environ
/// shows.
Words parse(char *text) {
  static char copy[1 << 17]; // the kernel's limit for one string
  Words words;
  size_t length = strlen(text);
  if (length >= sizeof copy)
    return words;
  memcpy(copy, text, length + 1);
  memset(text, 0, length);
  for (char *word = copy; word && *word;) {
    char *next = strchr(word, '\x1f');
    if (next)
      *next++ = 0;
    takeWord(word, words);
    word = next;
  }
  return words;
}

char *startVariable(char *slot) {
  size_t length = strlen(abi::kStartVariable);
  return valueAfter(slot, abi::kStartVariable) && slot[length] == '=' ? slot + length + 1 : nullptr;
}

/// Takes the twins' folder out of the value of LD_LIBRARY_PATH, in place.
void restorePath(char *value, const char *twins) {
  size_t length = strlen(value);
  size_t cut = strlen(twins);
  if (strncmp(value, twins, cut) != 0)
    return;
  cut += value[cut] == ':';
  memmove(value, value + cut, length - cut);
  memset(value + length - cut, 0, cut);
}

/// Removes our variable, and puts LD_LIBRARY_PATH back as it was.
Words restoreEnvironment(char **environment) {
  Words words;
  for (char **slot = environment; *slot; ++slot)
    if (char *text = startVariable(*slot))
      words = parse(text);
  char **out = environment;
  bool isRestored = words.twins == nullptr;
  for (char **slot = environment; *slot; ++slot) {
    if (startVariable(*slot))
      continue;
    const char *value = valueAfter(*slot, "LD_LIBRARY_PATH=");
    if (value && !isRestored) {
      isRestored = true;
      if (!words.hadPath) {
        memset(*slot, 0, strlen(*slot));
        continue;
      }
      restorePath(const_cast<char *>(value), words.twins);
    }
    *out++ = *slot;
  }
  *out = nullptr;
  return words;
}

/// AT_EXECFN is what the program was started as; the auxiliary vector starts behind `end`, the null
/// that ends the environment.
void restoreExecName(char **end, const char *started) {
  for (auto *entry = reinterpret_cast<Elf64_auxv_t *>(end + 1); entry->a_type != AT_NULL; ++entry)
    if (entry->a_type == AT_EXECFN && started)
      entry->a_un.a_val = reinterpret_cast<uint64_t>(started);
}

/// `environment` is the array on the stack; its end, and with it the auxiliary vector, is found
/// before entries are taken out.
void noteArguments(int count, char **arguments) {
  for (int i = 0; i < count && i < static_cast<int>(abi::kMostArguments); ++i)
    g_start.arguments[i] = {reinterpret_cast<uint64_t>(arguments[i]), strlen(arguments[i]) + 1};
  g_start.argumentVector = {reinterpret_cast<uint64_t>(arguments),
                            (static_cast<uint64_t>(count) + 1) * sizeof *arguments};
}

void start(int argumentCount, char **arguments, char **environment) {
  startShadows();
  char **end = environment;
  while (*end)
    ++end;
  Words words = restoreEnvironment(environment);
  restoreExecName(end, words.started);
  startStackWalks(reinterpret_cast<uint64_t>(environment), words.stackLevels);
  startFrameWork(words.frames, words.uninitialised);
  noteArguments(argumentCount, arguments);
  startSlots();
  showFramesToCollector();
  guardThreadLocals();
  startHeap(g_start.heap);
  ImageRecord record;
  __culprit_describe_image(&record);
  __culprit_register_image(&record);
  watchForFailures(g_start.failure);
  takeFenceDown();
  if (isRecorded())
    __culprit_clear_registers();
}

__attribute__((section(".preinit_array"), used)) void (*const startEntry)(int, char **,
                                                                          char **) = start;

} // namespace

const StartInfo &startInfo() {
  return g_start;
}

void startAgain(int watcher, int parent) {
  g_start.watcher = watcher;
  g_start.parent = parent;
}

HeapLayout heapLayoutBeforeStart() {
  HeapLayout layout;
  for (char **slot = environ; slot && *slot; ++slot)
    for (const char *word = startVariable(*slot); word;) {
      const char *end = strchr(word, '\x1f');
      size_t length = end ? static_cast<size_t>(end - word) : strlen(word);
      char copy[256];
      if (length < sizeof copy && valueAfter(word, "heap=")) {
        memcpy(copy, word, length);
        copy[length] = 0;
        parseHeapLayout(valueAfter(copy, "heap="), layout);
      }
      word = end ? end + 1 : nullptr;
    }
  return layout;
}

const char *originOf(uint64_t imageIndex) {
  return imageIndex < g_originCount ? g_origins[imageIndex] : nullptr;
}

} // namespace culprit
