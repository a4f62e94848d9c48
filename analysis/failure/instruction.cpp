// See instruction.h. LLVM prints the instruction; its memory operand ("qword ptr [rax + 8*rcx -
// 16]") is read from that text, which has all that is needed and no target-private types.
#include "analysis/failure/instruction.h"

#include <array>
#include <cctype>
#include <charconv>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <memory>
#include <string_view>

namespace culprit {
namespace {

constexpr uint32_t kPc = abi::kRegisterCount - 1;

struct Decoded {
  std::string text;
  uint64_t length = 0;
};

std::optional<Decoded> disassemble(const abi::FailureRecord &record) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  std::unique_ptr<void, void (*)(void *)> context(
      LLVMCreateDisasmCPU("x86_64-linux-gnu", "", nullptr, 0, nullptr, nullptr), LLVMDisasmDispose);
  if (!context)
    return std::nullopt;
  LLVMSetDisasmOptions(context.get(), LLVMDisassembler_Option_AsmPrinterVariant);
  std::array<uint8_t, sizeof record.code> bytes;
  std::copy(std::begin(record.code), std::end(record.code), bytes.begin());
  std::array<char, 256> text{};
  size_t length = LLVMDisasmInstruction(context.get(), bytes.data(), bytes.size(), record.pc,
                                        text.data(), text.size());
  if (length == 0)
    return std::nullopt;
  std::string line(text.data());
  for (char &c : line)
    c = c == '\t' ? ' ' : c;
  line.erase(0, line.find_first_not_of(' '));
  return Decoded{line, length};
}

std::optional<uint64_t> registerValue(std::string_view name, const abi::FailureRecord &record,
                                      uint64_t length) {
  static constexpr std::string_view kNames[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
                                                "rbp", "rsp", "r8",  "r9",  "r10", "r11",
                                                "r12", "r13", "r14", "r15", "rip"};
  static constexpr std::string_view kHalves[] = {"eax",  "edx",  "ecx",  "ebx", "esi",  "edi",
                                                 "ebp",  "esp",  "r8d",  "r9d", "r10d", "r11d",
                                                 "r12d", "r13d", "r14d", "r15d"};
  for (uint32_t i = 0; i < abi::kRegisterCount; ++i)
    if (name == kNames[i])
      return record.registers[i] + (i == kPc ? length : 0);
  for (uint32_t i = 0; i + 1 < abi::kRegisterCount; ++i)
    if (name == kHalves[i])
      return static_cast<uint32_t>(record.registers[i]);
  return std::nullopt;
}

std::optional<uint64_t> number(std::string_view text) {
  bool isHex = text.starts_with("0x");
  if (isHex)
    text.remove_prefix(2);
  uint64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, isHex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// The sum between brackets: registers, scaled registers and numbers.
std::optional<uint64_t> evaluate(std::string_view sum, const abi::FailureRecord &record,
                                 uint64_t length) {
  uint64_t total = 0;
  bool isNegative = false;
  while (!sum.empty()) {
    size_t end = sum.find(' ');
    std::string_view word = sum.substr(0, end);
    sum.remove_prefix(end == std::string_view::npos ? sum.size() : end + 1);
    if (word == "+" || word == "-") {
      isNegative = word == "-";
      continue;
    }
    if (word.starts_with('-')) { // a number that stands alone
      isNegative = true;
      word.remove_prefix(1);
    }
    uint64_t factor = 1;
    if (size_t star = word.find('*'); star != std::string_view::npos) {
      factor = number(word.substr(0, star)).value_or(1);
      word.remove_prefix(star + 1);
    }
    std::optional<uint64_t> value = std::isdigit(static_cast<unsigned char>(word[0]))
                                        ? number(word)
                                        : registerValue(word, record, length);
    if (!value)
      return std::nullopt;
    total += isNegative ? -*value : *value * factor;
  }
  return total;
}

uint32_t sizeBefore(std::string_view text) {
  static constexpr std::pair<std::string_view, uint32_t> kSizes[] = {
      {"xmmword ptr ", 16}, {"ymmword ptr ", 32}, {"zmmword ptr ", 64},
      {"qword ptr ", 8},    {"dword ptr ", 4},    {"tbyte ptr ", 10},
      {"xword ptr ", 10},   {"word ptr ", 2},     {"byte ptr ", 1}};
  for (auto [name, size] : kSizes)
    if (text.find(name) != std::string_view::npos)
      return size;
  return 0;
}

bool onlyReads(std::string_view mnemonic) {
  for (std::string_view name : {"cmp", "test", "push", "call", "jmp", "div", "idiv", "mul", "bt"})
    if (mnemonic == name)
      return true;
  return false;
}

} // namespace

std::optional<Instruction> failingInstruction(const abi::FailureRecord &record) {
  if (!record.hasRegisters)
    return std::nullopt;
  std::optional<Decoded> decoded = disassemble(record);
  if (!decoded)
    return std::nullopt;
  Instruction instruction;
  instruction.text = decoded->text;
  std::string_view text = instruction.text;
  size_t space = text.find(' ');
  instruction.mnemonic = text.substr(0, space);
  std::string_view operands = space == std::string_view::npos ? "" : text.substr(space + 1);
  instruction.operand =
      registerValue(operands.substr(0, operands.find(',')), record, decoded->length);
  size_t open = operands.find('[');
  size_t close = operands.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos)
    return instruction;
  std::string_view before = operands.substr(0, open);
  instruction.size = sizeBefore(before);
  instruction.isWrite =
      before.find(',') == std::string_view::npos && !onlyReads(instruction.mnemonic);
  instruction.address =
      evaluate(operands.substr(open + 1, close - open - 1), record, decoded->length);
  if (before.ends_with("fs:") && instruction.address)
    *instruction.address += record.threadPointer;
  else if (before.find(':') != std::string_view::npos)
    instruction.address.reset(); // another segment's base is not known
  return instruction;
}

} // namespace culprit
