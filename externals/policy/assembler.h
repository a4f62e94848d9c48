// What inline assembler does, as far as its text tells.
//
// Compilers know of an assembler statement only its operands. Most statements in real programs are
// one of a few idioms: a barrier, an atomic operation, a counter of the processor, a system call.
#ifndef CULPRIT_EXTERNALS_POLICY_ASSEMBLER_H
#define CULPRIT_EXTERNALS_POLICY_ASSEMBLER_H

#include <string_view>

namespace culprit {

enum class AssemblerEffect {
  Computes,   ///< registers and operands alone
  Fence,      ///< orders or is an atomic access to an operand
  Time,       ///< reads a counter that runs
  Random,     ///< reads the processor's random numbers
  Machine,    ///< asks what processor this is
  SystemCall, ///< calls the kernel
  Unknown,    ///< anything else: cannot be recorded
};

/// `text` in either syntax with either form of operands; `constraints` as LLVM keeps them.
AssemblerEffect assemblerEffect(std::string_view text, std::string_view constraints);

const char *effectWord(AssemblerEffect effect);

} // namespace culprit
#endif
