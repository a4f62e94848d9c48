// See record.h.
#include "runtime/record.h"

#include "runtime/frames.h"
#include "runtime/hooks.h"
#include "runtime/host_memory.h"
#include "runtime/start.h"
#include "runtime/suppress/suppress.h"

#include "runtime/images.h"
#include "runtime/kernel_signals.h"
#include "runtime/safe_read.h"
#include "runtime/snapshot.h"
#include "runtime/thread_blocks.h"
#include "runtime/thread_state.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

namespace culprit {
namespace {

abi::FailureRecord *g_record;
uint32_t g_program; ///< the process that the host started
long g_owner;       ///< the thread that has the record

/// The handler of the program's that the record waits for.
struct Pending {
  enum State { None, Running, Returned } state; ///< Returned: the same signal may follow
  uint64_t context;                             ///< in its signal frame
  uint64_t lowest;   ///< of the stack that the frame is on, as far as that is known
  uint64_t checksum; ///< of the frame
};
Pending g_pending;

uint32_t processId() {
  return static_cast<uint32_t>(rawSyscall(SYS_getpid));
}

/// Over the registers in a signal frame, which nothing else on a stack looks like.
bool checksumOf(uint64_t context, uint64_t &sum) {
  sum = 0x9e37'79b9'7f4a'7c15;
  uint64_t start = context + offsetof(ucontext_t, uc_mcontext);
  for (uint64_t i = 0; i < abi::kRegisterCount; ++i) {
    uint64_t word = 0;
    if (!readWord(start + i * 8, word))
      return false;
    sum = (sum ^ word) * 0x100'0000'01b3 + (sum >> 29);
  }
  return true;
}

/// A handler that runs has its signal frame above it on its stack. One that was left by a jump may
/// have left its frame there too, but the stack pointer is above that again, or something else has
/// been called meanwhile and written over it.
bool isHandlerRunning(uint64_t stack) {
  bool isOwner = g_owner == rawSyscall(SYS_gettid);
  if (isOwner && (stack >= g_pending.context || stack < g_pending.lowest))
    return false;
  uint64_t sum = 0;
  return checksumOf(g_pending.context, sum) && sum == g_pending.checksum;
}

/// Whether the signal waits to be delivered: the handler has sent it to itself.
bool isPending(uint32_t signal) {
  uint64_t pending = 0;
  rawSyscall(SYS_rt_sigpending, address(&pending), sizeof pending);
  return signal != 0 && (pending & bitOf(static_cast<int>(signal))) != 0;
}

uint32_t *kindWord() {
  return reinterpret_cast<uint32_t *>(&g_record->kind);
}

void withdraw() {
  g_pending.state = Pending::None;
  if (!g_record || g_record->process != processId() || !g_record->isInHandler)
    return;
  g_record->magic = 0;
  g_record->isInHandler = 0;
  g_record->message[0] = 0;
  __atomic_store_n(kindWord(), 0, __ATOMIC_RELEASE);
}

/// Another thread of this process has the record: whoever ends the process now must let it finish.
void waitForOther() {
  if (g_owner == rawSyscall(SYS_gettid))
    return;
  for (int i = 0; i < 1000 && g_record->process == processId() && !g_record->isInHandler &&
                  __atomic_load_n(&g_record->magic, __ATOMIC_ACQUIRE) != abi::kFailureMagic;
       ++i) {
    const timespec millisecond{0, 1'000'000};
    rawSyscall(SYS_nanosleep, address(&millisecond), 0);
  }
}

void clear(abi::FailureRecord &record) {
  abi::FailureKind kind = record.kind;
  memset(&record, 0, offsetof(abi::FailureRecord, maps) + 1);
  record.kind = kind;
  record.process = processId();
  record.thread = threadNumber();
}

/// Whether a line of /proc/self/maps is about executable memory of a file.
bool isWanted(const char *line, size_t length) {
  const char *flags = static_cast<const char *>(memchr(line, ' ', length));
  return flags && flags + 4 < line + length && flags[3] == 'x' && memchr(line, '/', length);
}

/// Copies the wanted lines; a line that does not fit into the buffer is left out.
void recordMaps(abi::FailureRecord &record) {
  long file = rawSyscall(SYS_open, address("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  char buffer[4096];
  size_t filled = 0;
  size_t out = 0;
  for (long count;
       file >= 0 && (count = rawSyscall(SYS_read, file, address(buffer + filled),
                                        static_cast<long>(sizeof buffer - filled))) > 0;) {
    filled += static_cast<size_t>(count);
    size_t begin = 0;
    while (const void *end = memchr(buffer + begin, '\n', filled - begin)) {
      size_t length = static_cast<size_t>(static_cast<const char *>(end) - buffer) + 1 - begin;
      if (isWanted(buffer + begin, length) && out + length < sizeof record.maps) {
        memcpy(record.maps + out, buffer + begin, length);
        out += length;
      }
      begin += length;
    }
    memmove(buffer, buffer + begin, filled - begin);
    filled = filled - begin == sizeof buffer ? 0 : filled - begin;
  }
  record.maps[out] = 0;
  if (file >= 0)
    rawSyscall(SYS_close, file);
}

} // namespace

bool mapRecord(const char *file) {
  g_record = mapHostRecord<abi::FailureRecord>(file);
  if (!g_record)
    return false;
  g_program = processId();
  return true;
}

abi::FailureRecord *failureRecord() {
  return g_record;
}

abi::FailureRecord *claimRecord(abi::FailureKind kind, uint64_t stack) {
  if (!g_record)
    return nullptr;
  settleRecord(false, stack);
  uint32_t none = 0;
  bool isMine = __atomic_compare_exchange_n(kindWord(), &none, static_cast<uint32_t>(kind), false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  uint32_t process = processId();
  if (!isMine && process == g_program && g_record->process != process) {
    g_record->kind = kind;
    isMine = true;
  }
  if (!isMine) {
    waitForOther();
    return nullptr;
  }
  g_owner = rawSyscall(SYS_gettid);
  clear(*g_record);
  return g_record;
}

void recordPlace(abi::FailureRecord &record, const Registers &registers) {
  record.pc = registers[kPc];
  record.hasRegisters = 1;
  memcpy(record.registers, registers.value, sizeof record.registers);
  for (uint64_t half = 0; half < sizeof record.code; half += 8) {
    uint64_t word = 0;
    if (readWord(record.pc + half, word))
      memcpy(record.code + half, &word, sizeof word);
  }
  record.callerCount = collectCallers(registers, record.callers, abi::kMostCallers);
  record.threadPointer = reinterpret_cast<uint64_t>(__builtin_thread_pointer());
  record.frameTop = reinterpret_cast<uint64_t>(__culprit_frames);
  record.frameCount = walkFrames(record.frameTop, record.frames, abi::kMostFrames);
}

void recordImages(abi::FailureRecord &record) {
  record.imageCount = 0;
  for (uint64_t i = 0; i < imageCount() && record.imageCount < abi::kMostLoadedImages; ++i) {
    const ImageRecord &image = imageNumber(i);
    record.images[record.imageCount++] = {image.index, image.bias};
  }
  memcpy(record.arguments, startInfo().arguments, sizeof record.arguments);
  record.argumentVector = startInfo().argumentVector;
  recordThreadBlocks(record);
  recordMaps(record);
}

void finishRecord(int signal) {
  if (!g_record || g_record->kind == abi::FailureKind::None ||
      g_record->magic == abi::kFailureMagic || g_record->process != processId())
    return;
  g_pending.state = Pending::None;
  g_record->isInHandler = 0;
  if (g_record->signal == 0)
    g_record->signal = static_cast<uint32_t>(signal);
  recordImages(*g_record);
  noteFailureOrigins(*g_record);
  if (g_record->process == g_program)
    g_record->snapshot = takeSnapshot();
  __atomic_store_n(&g_record->magic, abi::kFailureMagic, __ATOMIC_RELEASE);
}

bool isChild() {
  return processId() != g_program;
}

void takeBackRecord() {
  if (g_record->snapshot != 0)
    rawSyscall(SYS_kill, g_record->snapshot, SIGKILL);
  g_record->isInHandler = 1;
  withdraw();
}

bool isOwnRecord() {
  return g_record && g_record->kind != abi::FailureKind::None &&
         g_record->magic != abi::kFailureMagic && g_record->process == processId() &&
         g_owner == rawSyscall(SYS_gettid) && g_pending.state != Pending::Running;
}

bool isRepetition(int signal) {
  return isOwnRecord() && g_pending.state == Pending::Returned &&
         static_cast<int>(g_record->signal) == signal;
}

void enterHandler(const void *context) {
  const stack_t &stack = static_cast<const ucontext_t *>(context)->uc_stack;
  auto lowest = reinterpret_cast<uint64_t>(stack.ss_sp);
  g_record->isInHandler = 1;
  g_pending.context = reinterpret_cast<uint64_t>(context);
  bool isOnAlternate = g_pending.context - lowest < stack.ss_size;
  g_pending.lowest = isOnAlternate ? lowest : 0;
  g_pending.state = Pending::None;
  if (checksumOf(g_pending.context, g_pending.checksum))
    g_pending.state = Pending::Running;
}

bool isInHandlerOf(int signal, uint64_t stack) {
  return g_record && g_record->process == processId() && g_pending.state == Pending::Running &&
         static_cast<int>(g_record->signal) == signal && isHandlerRunning(stack);
}

void leaveHandler(const void *context) {
  if (g_pending.state != Pending::Running ||
      g_pending.context != reinterpret_cast<uint64_t>(context))
    return;
  if (g_record->signal != SIGABRT && !isPending(g_record->signal)) {
    withdraw();
    return;
  }
  recordImages(*g_record); // abort() gives no other chance
  g_pending.state = Pending::Returned;
}

void settleRecord(bool isEnd, uint64_t stack) {
  if (!g_record || g_record->kind == abi::FailureKind::None || g_record->process != processId())
    return;
  bool isOver = g_pending.state == Pending::Running && !isHandlerRunning(stack);
  if (isOver || g_pending.state == Pending::Returned)
    withdraw();
  else if (isEnd)
    finishRecord(0);
}

void appendMessage(abi::FailureRecord &record, const char *text) {
  size_t used = strnlen(record.message, sizeof record.message);
  size_t length = strlen(text);
  size_t room = sizeof record.message - 1 - used;
  memcpy(record.message + used, text, length < room ? length : room);
  record.message[used + (length < room ? length : room)] = 0;
}

} // namespace culprit
