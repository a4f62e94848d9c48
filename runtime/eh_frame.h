// One function's rules for unwinding, from section .eh_frame (LSB core specification, DWARF 4
// section 6.4).
#ifndef CULPRIT_RUNTIME_EH_FRAME_H
#define CULPRIT_RUNTIME_EH_FRAME_H

#include "abi/failure.h"

namespace culprit {

/// Where a caller's register is found.
struct Rule {
  enum Kind : uint8_t {
    Same,
    Undefined,
    AtOffset,
    IsOffset,
    AtExpression,
    IsExpression,
    InRegister
  };
  Kind kind = Same;
  int64_t offset = 0;                  ///< from the frame's address; or the other register
  const uint8_t *expression = nullptr; ///< its length, then its operations
};

/// The rules that hold at one instruction.
struct Row {
  uint32_t frameRegister = 0; ///< the frame's address is this register plus `frameOffset`
  int64_t frameOffset = 0;
  const uint8_t *frameExpression = nullptr; ///< unless this is given
  Rule rules[abi::kRegisterCount];
};

/// Finds the rules at `pc`; false where the images have none. `isSignalFrame`: pc is where a signal
/// handler returns to.
bool findRow(uint64_t pc, Row &row, bool &isSignalFrame);

/// Whether `pc` is in executable code of a loaded image.
bool isCode(uint64_t pc);

/// Little-endian base-128 numbers.
uint64_t readUnsigned(const uint8_t *&at);
int64_t readSigned(const uint8_t *&at);

} // namespace culprit
#endif
