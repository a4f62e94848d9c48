// The failing instruction: what it was about to access.
#ifndef CULPRIT_ANALYSIS_FAILURE_INSTRUCTION_H
#define CULPRIT_ANALYSIS_FAILURE_INSTRUCTION_H

#include "abi/failure.h"

#include <optional>
#include <string>

namespace culprit {

struct Instruction {
  std::string text; ///< in Intel's syntax
  std::string mnemonic;
  uint32_t size = 0;               ///< bytes of the memory operand; 0: none, or not known
  bool isWrite = false;            ///< the memory operand is the destination
  std::optional<uint64_t> address; ///< of the memory operand, if registers tell
  std::optional<uint64_t> operand; ///< value of the first register operand
};

/// Decodes the record's code with its registers. Nothing when it has none or they make no sense.
std::optional<Instruction> failingInstruction(const abi::FailureRecord &record);

} // namespace culprit
#endif
