// The beginning of a recording or a replay, and its end before the program's: called by
// runtime/entry.cpp before the dynamic loader runs, so that the loader's calls are recorded, too.
#include "runtime/entry_block.h"
#include "runtime/entry_segments.h"
#include "runtime/recorder/arrivals.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/dispatch.h"
#include "runtime/recorder/leave.h"
#include "runtime/recorder/paths.h"
#include "runtime/recorder/regions.h"
#include "runtime/recorder/shortcut.h"
#include "runtime/recorder/time_stamp.h"
#include "runtime/recording.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void __culprit_on_call(int signal, siginfo_t *info, void *context);
void __culprit_recorder_return();
}
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {
namespace {

constexpr uint64_t kStackSize = 64 << 10;
constexpr uint64_t kMostWord = 4096;
alignas(64) char g_stack[kStackSize]; ///< for system calls until the thread has one of its own
char g_loader[kMostWord];

/// The value of `key` among the host's words, copied; false: it is not there.
bool findWord(const char *words, const char *key, char *value) {
  while (words && *words) {
    uint64_t i = 0;
    while (key[i] && words[i] == key[i])
      ++i;
    if (!key[i]) {
      words += i;
      for (i = 0; i + 1 < kMostWord && words[i] && words[i] != '\x1f'; ++i)
        value[i] = words[i];
      value[i] = 0;
      return true;
    }
    while (*words && *words != '\x1f')
      ++words;
    words += *words ? 1 : 0;
  }
  return false;
}

uint64_t numberIn(const char *text) {
  uint64_t number = 0;
  for (; *text >= '0' && *text <= '9'; ++text)
    number = number * 10 + static_cast<uint64_t>(*text - '0');
  return number;
}

[[noreturn]] void giveUp(const char *why) {
  uint64_t length = 0;
  while (why[length])
    ++length;
  rawSyscall(SYS_write, 2, address(why), toLong(length));
  for (;;)
    rawSyscall(SYS_exit_group, 125);
}

void makeClock() {
  rawSyscall(SYS_mmap, abi::kClockPage, abi::kStatePage, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  sharedState().countdown = abi::kClockStart;
}

/// Values that the kernel has told the program; pointers are made anew in every run.
bool isToldByKernel(uint64_t type) {
  return type != AT_PHDR && type != AT_BASE && type != AT_ENTRY && type != AT_RANDOM &&
         type != AT_EXECFN && type != AT_PLATFORM && type != AT_BASE_PLATFORM &&
         type != AT_SYSINFO_EHDR;
}

void recordStart(const EntryBlock &block, const char *loader) {
  abi::StartEvent start;
  start.event.flags = openDescriptors();
  start.ignored = ignoredSignals();
  start.blocked = 0;
  rawSyscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, address(&start.blocked), kMaskSize);
  start.loader = -1;
  if (loader) {
    long file = rawSyscall(SYS_open, address(loader), O_RDONLY | O_CLOEXEC);
    start.loader = file < 0 ? -1 : keepFile(static_cast<int>(file));
    rawSyscall(SYS_close, file);
  }
  start.auxiliaryCount = block.auxiliarySize() / sizeof(Elf64_auxv_t);
  addEvent(start.event, abi::EventKind::Start, sizeof start, block.auxiliaries(),
           block.auxiliarySize());
  startDescriptors(start.event.flags);
  startSignals(start.ignored);
}

void replayStart(EntryBlock &block) {
  abi::ReplayCall seen;
  clearBytes(&seen, sizeof seen);
  seen.number = -4;
  const auto *start =
      reinterpret_cast<const abi::StartEvent *>(expectEvent(abi::EventKind::Start, seen, nullptr));
  const auto *recorded = reinterpret_cast<const Elf64_auxv_t *>(start + 1);
  if (start->auxiliaryCount != block.auxiliarySize() / sizeof *recorded)
    endReplay(abi::ReplayEnd::Unmappable, abi::ReplayDifference::Memory, seen, nullptr);
  for (uint64_t i = 0; i < start->auxiliaryCount; ++i)
    if (isToldByKernel(recorded[i].a_type))
      block.setAuxiliary(recorded[i].a_type, recorded[i].a_un.a_val);
  startDescriptors(start->event.flags);
  startSignals(start->ignored);
  rawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, address(&start->blocked), 0, kMaskSize);
}

void onFault(int signal, siginfo_t *info, void *context) {
  if (__culprit_recorder_takes(signal, info, context))
    return;
  KernelAction none = {0, 0, 0, 0};
  rawSyscall(SYS_rt_sigaction, signal, address(&none), 0, kMaskSize);
}

void handle(int signal, void (*handler)(int, siginfo_t *, void *)) {
  constexpr uint64_t kRestorer = 0x0400'0000;
  KernelAction action = {
      placeOf(reinterpret_cast<void *>(handler)), SA_SIGINFO | SA_ONSTACK | kRestorer,
      placeOf(reinterpret_cast<void *>(&__culprit_recorder_return)), ~uint64_t{0}};
  rawSyscall(SYS_rt_sigaction, signal, address(&action), 0, kMaskSize);
}

} // namespace

void takeCalls() {
  stack_t stack = {};
  stack.ss_sp = g_stack;
  stack.ss_size = kStackSize;
  rawSyscall(SYS_sigaltstack, address(&stack), 0);
  handle(SIGSYS, __culprit_on_call);
  handle(SIGSEGV, onFault); // until runtime/signals.cpp has them
  handle(SIGILL, onFault);
  allowTimeStamps(false);
  allowShortcuts(true);
  if (!startDispatch())
    giveUp("culprit: error: the kernel cannot hand over system calls (Syscall User Dispatch); "
           "recording needs Linux 5.11 or newer, built with it\n");
}

namespace {

void copyText(char *to, uint64_t room, const char *from) {
  uint64_t i = 0;
  for (; i + 1 < room && from[i]; ++i)
    to[i] = from[i];
  to[i] = 0;
}

void readWords(const char *words, ReplayWords &replay) {
  static char value[kMostWord];
  auto number = [&](const char *key) { return findWord(words, key, value) ? numberIn(value) : 0; };
  auto text = [&](const char *key, char *to, uint64_t room) {
    copyText(to, room, findWord(words, key, value) ? value : "");
  };
  text("replay=", replay.events, sizeof replay.events);
  text("replaylog=", replay.log, sizeof replay.log);
  text("replaystate=", replay.state, sizeof replay.state);
  text("replayfiles=", replay.files, sizeof replay.files);
  text("failure=", replay.failure, sizeof replay.failure);
  replay.size = number("replaysize=");
  replay.pieces = number("replaypieces=");
  replay.logSize = number("replaylogsize=");
  replay.watcher = static_cast<int>(number("watcher="));
  replay.parent = static_cast<int>(number("parent="));
}

/// The recording does not start with the program.
void goOnIfWanted(const char *words) {
  static char value[kMostWord];
  char file[256];
  ReplayWords replay;
  if (!findWord(words, "replayfrom=", value))
    return;
  copyText(file, sizeof file, value);
  readWords(words, replay);
  findWord(words, "replayfromsize=", value);
  goOnAtCheckpoint(file, numberIn(value), replay);
}

/// What a replay that is left, or that only looks for paths, needs beside the events.
void openMore(const char *words) {
  static char path[kMostWord];
  static char size[kMostWord];
  bool isOpen = true;
  if (findWord(words, "replaypaths=", path))
    isOpen = openPaths(path);
  else if (findWord(words, "leave=", path) && findWord(words, "leavesize=", size))
    isOpen = openPlan(path, numberIn(size));
  if (!isOpen)
    giveUp("culprit: error: the plan of an altered run cannot be opened\n");
}

bool openFromWords(const char *words) {
  static char path[kMostWord];
  static ReplayWords replay;
  if (findWord(words, "recording=", path)) {
    if (!openRecording(path))
      giveUp("culprit: error: the recording cannot be mapped; is there too little memory?\n");
    if (findWord(words, "recordinglog=", path))
      useLog(path);
    g_role = Role::Recording;
  } else if (findWord(words, "replay=", path)) {
    readWords(words, replay);
    if (!openReplay(replay))
      giveUp("culprit: error: the recording cannot be mapped; is there too little memory?\n");
    g_role = Role::Replaying;
    openMore(words);
  }
  return g_role != Role::Off;
}

} // namespace

void goNative() {
  g_role = Role::Off;
  allowShortcuts(false);
  stopDispatch();
  allowTimeStamps(true);
  restoreActions();
}

extern "C" const char *__culprit_recorded_loader(const EntryBlock *block, const char *loader) {
  return findWord(block->hostWords(), "replayloader=", g_loader) ? g_loader : loader;
}

extern "C" void __culprit_begin_recording(EntryBlock *block, const char *loader) {
  makeClock();
  goOnIfWanted(block->hostWords());
  if (!openFromWords(block->hostWords()))
    return;
  block->setAuxiliary(AT_SYSINFO_EHDR, 0); // so that asking for the time is a system call
  forEachSegment(*block, [](const Elf64_Phdr &segment) {
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0)
      addRegion(segment.p_vaddr, segment.p_memsz);
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
      addProgramCode(segment.p_vaddr, segment.p_memsz);
  });
  if (g_role == Role::Recording)
    recordStart(*block, loader);
  else
    replayStart(*block);
  prepareClock();
  takeCalls();
}

extern "C" bool __culprit_is_recording() {
  return g_role != Role::Off;
}

extern "C" uint64_t __culprit_program_value(abi::ValueKind kind, uint64_t value) {
  abi::ValueEvent event;
  event.event.flags = 0;
  event.what = static_cast<uint64_t>(kind);
  event.value = value;
  if (g_role == Role::Recording) {
    addEvent(event.event, abi::EventKind::Value, sizeof event);
    return value;
  }
  abi::ReplayCall seen;
  clearBytes(&seen, sizeof seen);
  seen.number = -2;
  const abi::Event *recorded = expectEvent(abi::EventKind::Value, seen, nullptr);
  prepareClock(); // a signal may come next
  return reinterpret_cast<const abi::ValueEvent *>(recorded)->value;
}

extern "C" bool __culprit_memory_refused(bool byKernel) {
  constexpr auto kRefused = static_cast<uint64_t>(abi::ValueKind::MemoryRefused);
  if (g_role == Role::Recording)
    return byKernel && __culprit_program_value(abi::ValueKind::MemoryRefused, 1) != 0;
  if (byKernel) { // not so when it was recorded
    abi::ReplayCall seen;
    clearBytes(&seen, sizeof seen);
    seen.number = SYS_mmap;
    endReplay(abi::ReplayEnd::Unmappable, abi::ReplayDifference::Result, seen, nullptr);
  }
  const abi::Event *next = nextEvent();
  return next && next->kind == abi::EventKind::Value && next->clock == clockNow() &&
         reinterpret_cast<const abi::ValueEvent *>(next)->what == kRefused &&
         __culprit_program_value(abi::ValueKind::MemoryRefused, 1) != 0;
}

void stopRecording(abi::StopReason reason, uint64_t detail) {
  abi::StopEvent event;
  event.event.flags = 0;
  event.reason = reason;
  event.detail = detail;
  addEvent(event.event, abi::EventKind::Stop, sizeof event);
  __atomic_store_n(&sharedState().isActive, 0, __ATOMIC_RELEASE);
  makeClock(); // threads and children share nothing with the host any more
  goNative();
}

void leaveRecording() {
  makeClock();
  rawSyscall(SYS_munmap, toLong(abi::kRecorderBase), toLong(2 * abi::kRingSize));
  goNative();
}

} // namespace culprit

// A system call of the program's that the runtime makes: from outside of the runtime's section, so
// that it is handed over like any other.
asm(R"(
  .text
  .hidden __culprit_program_call
  .globl __culprit_program_call
  .type __culprit_program_call, @function
__culprit_program_call:
  .cfi_startproc
  movq %rdi, %rax
  movq %rsi, %r11
  movq (%r11), %rdi
  movq 8(%r11), %rsi
  movq 16(%r11), %rdx
  movq 24(%r11), %r10
  movq 32(%r11), %r8
  movq 40(%r11), %r9
  syscall
  ret
  .cfi_endproc
  .size __culprit_program_call, .-__culprit_program_call
)");
