// See processor_trap.h.
#include "runtime/recorder/processor_trap.h"

#include "runtime/recorder/dispatch.h"
#include "runtime/recording.h"

namespace culprit {
namespace {

/// The number, and whether there was one.
uint64_t askProcessor(uint8_t trap, uint64_t &isThere) {
  uint64_t number = 0;
  unsigned char carry = 0;
  if (trap == abi::kTrapRandom)
    asm volatile("rdrand %0\n\tsetc %1" : "=r"(number), "=qm"(carry) : : "cc");
  else
    asm volatile("rdseed %0\n\tsetc %1" : "=r"(number), "=qm"(carry) : : "cc");
  isThere = carry;
  return number;
}

} // namespace

bool answerProcessorTrap(uint8_t number, ucontext_t *context) {
  auto *registers = context->uc_mcontext.gregs;
  if (number == abi::kTrapStop) {
    if (g_role == Role::Recording) {
      stopRecording(abi::StopReason::ProcessorValue, 0);
      goOnNatively(context);
    }
    return true;
  }
  if (number == abi::kTrapResult) {
    auto result = static_cast<uint64_t>(registers[REG_RAX]);
    registers[REG_RAX] = toLong(programValue(abi::ValueKind::Processor, result));
    return true;
  }
  if (number != abi::kTrapRandom && number != abi::kTrapSeed)
    return false;
  uint64_t isThere = 0;
  uint64_t value = g_role == Role::Replaying ? 0 : askProcessor(number, isThere);
  registers[REG_RAX] = toLong(programValue(abi::ValueKind::Random, value));
  registers[REG_RDX] = toLong(programValue(abi::ValueKind::Random, isThere));
  return true;
}

} // namespace culprit
