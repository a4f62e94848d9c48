// See unwind.h.
#include "runtime/unwind.h"

#include "runtime/eh_frame.h"
#include "runtime/safe_read.h"

#include <ucontext.h>

namespace culprit {
namespace {

/// What one step needs of DWARF's expressions (section 2.5): those of signal frames, procedure
/// linkage tables and hand-written assembler.
class Expression {
public:
  explicit Expression(const Registers &registers) : registers_(registers) {}

  /// `start`, if given, is on the stack at first. False: not understood, or memory is not there.
  bool run(const uint8_t *at, const uint64_t *start, uint64_t &result) {
    uint64_t size = readUnsigned(at);
    if (start)
      push(*start);
    for (const uint8_t *end = at + size; at < end;)
      if (!step(at))
        return false;
    if (depth_ == 0)
      return false;
    result = stack_[depth_ - 1];
    return true;
  }

private:
  static constexpr unsigned kDepth = 16;

  bool push(uint64_t value) {
    if (depth_ == kDepth)
      return false;
    stack_[depth_++] = value;
    return true;
  }

  bool step(const uint8_t *&at) {
    uint8_t code = *at++;
    if (code >= 0x30 && code <= 0x4f) // lit0...
      return push(code - 0x30U);
    if (code >= 0x70 && code <= 0x70 + kPc) { // breg0...
      int64_t offset = readSigned(at);
      return push(registers_[code - 0x70U] + static_cast<uint64_t>(offset));
    }
    if (code >= 0x1a)
      return arithmetic(code, at);
    return simple(code, at);
  }

  bool simple(uint8_t code, const uint8_t *&at) {
    switch (code) {
    case 0x06: // deref
      return depth_ > 0 && readWord(stack_[depth_ - 1], stack_[depth_ - 1]);
    case 0x08: // const1u
      return push(*at++);
    case 0x09: // const1s
      return push(static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(*at++))));
    case 0x10: // constu
      return push(readUnsigned(at));
    case 0x11: // consts
      return push(static_cast<uint64_t>(readSigned(at)));
    case 0x12: // dup
      return depth_ > 0 && push(stack_[depth_ - 1]);
    default:
      return false;
    }
  }

  bool arithmetic(uint8_t code, const uint8_t *&at) {
    if (code == 0x23) // plus_uconst
      return depth_ > 0 && (stack_[depth_ - 1] += readUnsigned(at), true);
    if (depth_ < 2)
      return false;
    uint64_t second = stack_[--depth_];
    uint64_t &first = stack_[depth_ - 1];
    switch (code) {
    case 0x1a:
      first &= second;
      return true;
    case 0x1c:
      first -= second;
      return true;
    case 0x22:
      first += second;
      return true;
    case 0x24:
      first = second < 64 ? first << second : 0;
      return true;
    case 0x2a: // ge
      first = static_cast<int64_t>(first) >= static_cast<int64_t>(second);
      return true;
    default:
      return false;
    }
  }

  const Registers &registers_;
  uint64_t stack_[kDepth];
  unsigned depth_ = 0;
};

bool apply(const Rule &rule, const Registers &old, uint64_t frame, uint64_t &value) {
  switch (rule.kind) {
  case Rule::Same:
    return true;
  case Rule::Undefined:
    value = 0;
    return true;
  case Rule::AtOffset:
    return readWord(frame + static_cast<uint64_t>(rule.offset), value);
  case Rule::IsOffset:
    value = frame + static_cast<uint64_t>(rule.offset);
    return true;
  case Rule::InRegister:
    if (rule.offset >= abi::kRegisterCount)
      return false;
    value = old[static_cast<uint32_t>(rule.offset)];
    return true;
  case Rule::AtExpression:
  case Rule::IsExpression: {
    uint64_t result = 0;
    if (!Expression(old).run(rule.expression, &frame, result))
      return false;
    value = result;
    return rule.kind == Rule::IsExpression || readWord(result, value);
  }
  }
  return false;
}

/// To the caller by the rules of .eh_frame.
bool stepByRow(const Row &row, Registers &registers) {
  uint64_t frame = 0;
  if (row.frameExpression) {
    if (!Expression(registers).run(row.frameExpression, nullptr, frame))
      return false;
  } else if (row.frameRegister < abi::kRegisterCount) {
    frame = registers[row.frameRegister] + static_cast<uint64_t>(row.frameOffset);
  } else {
    return false;
  }
  Registers old = registers;
  registers[kStackPointer] = frame;
  for (uint32_t i = 0; i < abi::kRegisterCount; ++i)
    if (!apply(row.rules[i], old, frame, registers[i]))
      return false;
  return row.rules[kPc].kind != Rule::Same;
}

/// The caller of code that nobody described, if it keeps frame pointers.
bool stepByFramePointer(Registers &registers) {
  uint64_t frame = registers[kFramePointer];
  uint64_t pc = 0;
  if (frame < registers[kStackPointer] || frame % 8 != 0 || !readWord(frame + 8, pc) || !isCode(pc))
    return false;
  registers[kPc] = pc;
  registers[kStackPointer] = frame + 16;
  return readWord(frame, registers[kFramePointer]);
}

/// After a jump to nowhere, the return address is still on top of the stack.
bool stepFromNowhere(Registers &registers) {
  uint64_t pc = 0;
  if (!readWord(registers[kStackPointer], pc) || !isCode(pc))
    return false;
  registers[kPc] = pc;
  registers[kStackPointer] += 8;
  return true;
}

} // namespace

uint32_t collectCallers(Registers registers, uint64_t *callers, uint32_t most) {
  uint32_t count = 0;
  bool isExact = true; // pc is the instruction itself, not where its call returns to
  while (count < most) {
    uint64_t pc = registers[kPc];
    uint64_t stack = registers[kStackPointer];
    bool isSignalFrame = false;
    Row row;
    bool isFound = findRow(isExact ? pc : pc - 1, row, isSignalFrame);
    bool isDone = isFound ? !stepByRow(row, registers)
                          : !(count == 0 && !isCode(pc) ? stepFromNowhere(registers)
                                                        : stepByFramePointer(registers));
    if (isDone || registers[kPc] == 0)
      break;
    if (!isSignalFrame && registers[kStackPointer] <= stack)
      break;
    isExact = isSignalFrame;
    callers[count++] = registers[kPc] + (isSignalFrame ? 1 : 0);
  }
  return count;
}

Registers registersOf(const void *context) {
  const greg_t *from = static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
  static constexpr int kOrder[abi::kRegisterCount] = {
      REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
      REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  Registers registers;
  for (uint32_t i = 0; i < abi::kRegisterCount; ++i)
    registers[i] = static_cast<uint64_t>(from[kOrder[i]]);
  return registers;
}

} // namespace culprit

// registersHere: the result's address is the first argument; only what a caller's rules can refer
// to is filled, the rest is zero.
asm(R"(
  .text
  .globl _ZN7culprit13registersHereEv
  .hidden _ZN7culprit13registersHereEv
  .type _ZN7culprit13registersHereEv, @function
_ZN7culprit13registersHereEv:
  .cfi_startproc
  xorl %eax, %eax
  movq %rax, 0(%rdi)
  movq %rax, 8(%rdi)
  movq %rax, 16(%rdi)
  movq %rbx, 24(%rdi)
  movq %rax, 32(%rdi)
  movq %rax, 40(%rdi)
  movq %rbp, 48(%rdi)
  leaq 8(%rsp), %rcx
  movq %rcx, 56(%rdi)
  movq %rax, 64(%rdi)
  movq %rax, 72(%rdi)
  movq %rax, 80(%rdi)
  movq %rax, 88(%rdi)
  movq %r12, 96(%rdi)
  movq %r13, 104(%rdi)
  movq %r14, 112(%rdi)
  movq %r15, 120(%rdi)
  movq (%rsp), %rcx
  movq %rcx, 128(%rdi)
  movq %rdi, %rax
  ret
  .cfi_endproc
  .size _ZN7culprit13registersHereEv, .-_ZN7culprit13registersHereEv
)");
