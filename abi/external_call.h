// What the runtime has to know of a call that leaves the program's code: constant data that a
// suppression build puts beside each such call. It says what externals/policy.txt says.
#ifndef CULPRIT_ABI_EXTERNAL_CALL_H
#define CULPRIT_ABI_EXTERNAL_CALL_H

#include <stdint.h>

namespace culprit::abi {

enum class ArgumentRole : uint32_t {
  Value = 0, ///< not followed
  In,
  Out,
  InOut,
  Text,     ///< read up to its terminator
  WideText, ///< the same of wide characters
  Texts,    ///< array of texts up to a null
  Format,   ///< text; the arguments behind it are read as it says
  Scan,     ///< text; the arguments behind it are written as it says
  Block,    ///< a heap block that the call takes over
};

enum class SizeKind : uint32_t {
  None = 0,
  Bytes,    ///< `factor` bytes
  Argument, ///< the value of argument `first` (and `second`), times `factor`
  Pointed,  ///< what argument `first` points to, times `factor`
  Result,   ///< the result, times `factor`
  Text,     ///< up to a terminator
};

struct ExternalArgument {
  ArgumentRole role;
  SizeKind size;
  uint32_t first, second; ///< numbers of arguments, from 1; 0: none
  uint64_t factor;
};

enum class ResultRole : uint32_t {
  Value = 0,
  Block, ///< a new heap block
  Same,  ///< argument `resultArgument`, or a pointer into it
  NoReturn,
};

inline constexpr uint32_t kMostExternalArguments = 12;

struct ExternalCall {
  uint64_t site; ///< of the program
  const char *name;
  ResultRole result;
  uint32_t resultArgument;
  uint32_t argumentCount; ///< of the row; a variadic call may have more
  uint32_t isFollowed; ///< its twin does what follows from corrupt arguments; it is described only
                       ///< because the call may be suppressed
  ExternalArgument arguments[kMostExternalArguments];
};

} // namespace culprit::abi
#endif
