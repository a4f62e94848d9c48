// See time_stamp.h.
#include "runtime/recorder/time_stamp.h"

#include "runtime/recorder/bytes.h"
#include "runtime/recorder/session.h"
#include "runtime/recording.h"

#include <sys/prctl.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

/// The length of the instruction, 0: it is another one.
int lengthOf(const unsigned char *code, bool &hasProcessor) {
  hasProcessor = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9; // rdtscp
  if (hasProcessor)
    return 3;
  return code[0] == 0x0f && code[1] == 0x31 ? 2 : 0; // rdtsc
}

uint64_t readClock(uint32_t &processor) {
  uint32_t low;
  uint32_t high;
  allowTimeStamps(true);
  asm volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
  allowTimeStamps(false);
  return uint64_t{high} << 32 | low;
}

} // namespace

void allowTimeStamps(bool isAllowed) {
  rawSyscall(SYS_prctl, PR_SET_TSC, isAllowed ? PR_TSC_ENABLE : PR_TSC_SIGSEGV);
}

bool readTimeStamp(ucontext_t *context) {
  auto *registers = context->uc_mcontext.gregs;
  bool hasProcessor = false;
  int length = lengthOf(pointerTo<const unsigned char>(static_cast<uint64_t>(registers[REG_RIP])),
                        hasProcessor);
  if (length == 0)
    return false;
  uint32_t processor = 0;
  uint64_t clock = g_role == Role::Recording ? readClock(processor) : 0;
  clock = programValue(abi::ValueKind::TimeStamp, clock);
  registers[REG_RAX] = static_cast<uint32_t>(clock);
  registers[REG_RDX] = static_cast<uint32_t>(clock >> 32);
  if (hasProcessor)
    registers[REG_RCX] = toLong(programValue(abi::ValueKind::TimeStampProcessor, processor));
  registers[REG_RIP] += length;
  return true;
}

} // namespace culprit
