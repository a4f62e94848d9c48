// Inline assembler by its effect.
#include "externals/policy/assembler.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

constexpr const char *kPlain = "=r,r,~{dirflag},~{fpsr},~{flags}";
constexpr const char *kMemory = "~{memory},~{dirflag},~{fpsr},~{flags}";

TEST(Assembler, KnowsIdioms) {
  EXPECT_EQ(assemblerEffect("rdtsc", kPlain), AssemblerEffect::Time);
  EXPECT_EQ(assemblerEffect("rdtscp\n\tshl $$32, %rdx\n\tor %rdx, $0", kPlain),
            AssemblerEffect::Time);
  EXPECT_EQ(assemblerEffect("lfence; rdtsc", kMemory), AssemblerEffect::Time);
  EXPECT_EQ(assemblerEffect("1: rdrand $0; jnc 1b", kPlain), AssemblerEffect::Random);
  EXPECT_EQ(assemblerEffect("cpuid", kPlain), AssemblerEffect::Machine);
  EXPECT_EQ(assemblerEffect("syscall", kMemory), AssemblerEffect::SystemCall);
  EXPECT_EQ(assemblerEffect("int $$0x80", kMemory), AssemblerEffect::SystemCall);
}

TEST(Assembler, KnowsFences) {
  EXPECT_EQ(assemblerEffect("", kMemory), AssemblerEffect::Fence);
  EXPECT_EQ(assemblerEffect("mfence", kMemory), AssemblerEffect::Fence);
  EXPECT_EQ(assemblerEffect("rep; nop", kMemory), AssemblerEffect::Fence);
  EXPECT_EQ(assemblerEffect("rep nop", kMemory), AssemblerEffect::Fence);
  EXPECT_EQ(assemblerEffect("pause", kMemory), AssemblerEffect::Fence);
  EXPECT_EQ(assemblerEffect("lock; xaddl $0, $1", kMemory), AssemblerEffect::Fence);
  EXPECT_EQ(assemblerEffect("lock xaddl $0, $1", kMemory), AssemblerEffect::Fence);
  EXPECT_EQ(assemblerEffect("xchgl $0, $1", kMemory), AssemblerEffect::Fence);
}

TEST(Assembler, KnowsComputing) {
  EXPECT_EQ(assemblerEffect("", kPlain), AssemblerEffect::Computes);
  EXPECT_EQ(assemblerEffect("bswapq $0", kPlain), AssemblerEffect::Computes);
  EXPECT_EQ(assemblerEffect("mulq $3", kPlain), AssemblerEffect::Computes);
  EXPECT_EQ(assemblerEffect("addq $2, $0\n\tadcq $3, $1 # carry", kPlain),
            AssemblerEffect::Computes);
  EXPECT_EQ(assemblerEffect("setc $0", kPlain), AssemblerEffect::Computes);
  EXPECT_EQ(assemblerEffect("paddq %xmm0, %xmm1", kPlain), AssemblerEffect::Computes);
}

TEST(Assembler, DoesNotGuess) {
  EXPECT_EQ(assemblerEffect("movq $0, ($1)", kMemory), AssemblerEffect::Unknown);
  EXPECT_EQ(assemblerEffect("rep; movsb", kMemory), AssemblerEffect::Unknown);
  EXPECT_EQ(assemblerEffect("rep stosq", kMemory), AssemblerEffect::Unknown);
  EXPECT_EQ(assemblerEffect("call somewhere", kPlain), AssemblerEffect::Unknown);
  EXPECT_EQ(assemblerEffect("outb $0, $1", kPlain), AssemblerEffect::Unknown);
  EXPECT_EQ(assemblerEffect("rdtsc; call somewhere", kPlain), AssemblerEffect::Unknown);
}

} // namespace
} // namespace culprit
