// The failing instruction's memory operand, from its bytes and the registers.
#include "analysis/failure/instruction.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace culprit {
namespace {

constexpr uint32_t kRax = 0, kRcx = 2, kR8 = 8;
constexpr uint64_t kThreadPointer = 0x3400'0000'0000;

Instruction decode(const std::vector<uint8_t> &bytes) {
  static abi::FailureRecord record; // large
  record = {};
  record.hasRegisters = 1;
  record.pc = 0x400000;
  record.threadPointer = kThreadPointer;
  record.registers[abi::kRegisterCount - 1] = record.pc;
  record.registers[kRax] = 0x1000;
  record.registers[kRcx] = 3;
  record.registers[kR8] = 0xdead'0000'0000'0000;
  std::copy(bytes.begin(), bytes.end(), record.code);
  return failingInstruction(record).value_or(Instruction{});
}

TEST(Instruction, EvaluatesBaseIndexAndOffset) {
  Instruction store = decode({0x48, 0x89, 0x54, 0xc8, 0xf0}); // mov [rax + 8*rcx - 16], rdx
  EXPECT_EQ(store.address, 0x1000U + 24 - 16);
  EXPECT_EQ(store.size, 8U);
  EXPECT_TRUE(store.isWrite);
  Instruction load = decode({0x41, 0x0f, 0xb6, 0x40, 0x05}); // movzx eax, byte ptr [r8 + 5]
  EXPECT_EQ(load.address, 0xdead'0000'0000'0005U);
  EXPECT_EQ(load.size, 1U);
  EXPECT_FALSE(load.isWrite);
}

TEST(Instruction, KnowsWhatOnlyReads) {
  EXPECT_FALSE(decode({0x80, 0x38, 0x00}).isWrite); // cmp byte ptr [rax], 0
  EXPECT_TRUE(decode({0x80, 0x00, 0x01}).isWrite);  // add byte ptr [rax], 1
}

TEST(Instruction, CountsFromTheNextInstruction) {
  Instruction load = decode({0x8b, 0x05, 0x10, 0x00, 0x00, 0x00}); // mov eax, [rip + 16]
  EXPECT_EQ(load.address, 0x400000U + 6 + 16);
}

TEST(Instruction, KnowsTheSegmentOfThreads) {
  EXPECT_EQ(decode({0x64, 0x8b, 0x00}).address, kThreadPointer + 0x1000); // mov eax, fs:[rax]
  EXPECT_EQ(decode({0x65, 0x8b, 0x00}).address, std::nullopt);            // mov eax, gs:[rax]
}

TEST(Instruction, ReadsADivisor) {
  Instruction division = decode({0xf7, 0xf9}); // idiv ecx
  EXPECT_EQ(division.mnemonic, "idiv");
  EXPECT_EQ(division.operand, 3U);
}

TEST(Instruction, GivesUpOnNonsense) {
  abi::FailureRecord record = {};
  EXPECT_FALSE(failingInstruction(record));
}

} // namespace
} // namespace culprit
