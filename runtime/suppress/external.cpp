// Calls that leave the program's code, in suppression runs: what they read must not be corrupt, and
// what they write is defined by them. abi::ExternalCall says which memory that is.
#include "abi/external_call.h"
#include "runtime/hooks.h"
#include "runtime/suppress/blocks.h"
#include "runtime/suppress/endings.h"
#include "runtime/suppress/formats.h"
#include "runtime/suppress/marks.h"
#include "runtime/suppress/reads.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/suppress.h"
#include "runtime/system.h"

#include <malloc.h>
#include <string.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

uint64_t g_oldSize; ///< of the block that the call takes over

uint64_t textLength(uint64_t text) {
  return strlen(pointerTo<const char>(text));
}

uint64_t wideTextLength(uint64_t text) {
  uint64_t length = 0;
  while (pointerTo<const uint32_t>(text)[length] != 0)
    ++length;
  return length * 4;
}

/// How many bytes an argument leads to; `result` is what the call returned, 0 before it was made.
uint64_t sizeOf(const abi::ExternalArgument &argument, uint64_t pointer, const uint64_t *values,
                uint64_t result) {
  uint64_t size = 0;
  switch (argument.size) {
  case abi::SizeKind::None:
    return 0;
  case abi::SizeKind::Bytes:
    return argument.factor;
  case abi::SizeKind::Argument:
    size = values[argument.first - 1];
    break;
  case abi::SizeKind::Pointed:
    size = values[argument.first - 1] == 0 ? 0
                                           : *pointerTo<const uint32_t>(values[argument.first - 1]);
    break;
  case abi::SizeKind::Result:
    size = static_cast<int64_t>(result) > 0 ? result : 0;
    break;
  case abi::SizeKind::Text:
    return textLength(pointer) + 1;
  }
  if (argument.second != 0)
    size *= values[argument.second - 1];
  return size * (argument.factor == 0 ? 1 : argument.factor);
}

bool readsCorrupt(const abi::ExternalArgument &argument, uint64_t pointer, const uint64_t *values) {
  using Role = abi::ArgumentRole;
  if (pointer == 0)
    return false;
  switch (argument.role) {
  case Role::In:
  case Role::InOut:
    return argument.size != abi::SizeKind::Result &&
           hasCorruptByte(pointer, sizeOf(argument, pointer, values, 0));
  case Role::Text:
  case Role::Format:
  case Role::Scan:
    return hasCorruptByte(pointer, textLength(pointer) + 1);
  case Role::WideText:
    return hasCorruptByte(pointer, wideTextLength(pointer) + 4);
  case Role::Texts:
    for (auto *text = pointerTo<const uint64_t>(pointer); *text != 0; ++text)
      if (hasCorruptByte(reinterpret_cast<uint64_t>(text), 8) ||
          hasCorruptByte(*text, textLength(*text) + 1))
        return true;
    return false;
  default:
    return false;
  }
}

bool hasCorruptInput(const abi::ExternalCall &call, const uint64_t *values, const uint64_t *origins,
                     uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    if ((origins[i] & abi::kOriginCorrupt) != 0)
      return true;
  for (uint64_t i = 0; i < call.argumentCount && i < count; ++i) {
    if (readsCorrupt(call.arguments[i], values[i], values))
      return true;
    if (call.arguments[i].role == abi::ArgumentRole::Format &&
        printsCorrupt(pointerTo<const char>(values[i]), values + i + 1, count - i - 1))
      return true;
  }
  return false;
}

/// 0 for what is no block: the call itself will complain.
uint64_t sizeOfBlock(uint64_t block) {
  return block == 0 || !isLiveBlock(block) ? 0 : malloc_usable_size(pointerTo<void>(block));
}

/// The execution of a call that has the origin; without origins it is known all the same. Shims
/// have no sites: the program's call is meant that led there.
uint64_t executionOf(const abi::ExternalCall &call, uint64_t origin) {
  if (!hasMarks())
    return origin;
  return call.site == 0 ? __culprit_call_origin : abi::makeOrigin(call.site, __culprit_clock);
}

/// Memory costs nothing until it is touched, so that programs may ask for much more than they use;
/// to set its origin touches the shadow. Of what is larger, only the first part gets one.
constexpr uint64_t kMostSet = 64 << 20;

void setOriginOfBlock(uint64_t address, uint64_t size, uint64_t origin) {
  setOrigin(address, size < kMostSet ? size : kMostSet, origin);
}

/// A new block; what realloc has moved keeps its origins.
void noteAllocated(uint64_t block, uint64_t old, uint64_t origin, uint64_t execution) {
  noteAllocation(block, execution);
  uint64_t size = malloc_usable_size(pointerTo<void>(block));
  uint64_t kept = old == 0 ? 0 : g_oldSize < size ? g_oldSize : size;
  if (old != 0 && old != block)
    copyOrigins(block, old, kept);
  setOriginOfBlock(block + kept, size - kept, origin);
  noteGuardsOfBlock(block, size);
}

[[noreturn]] void endEarly() {
  suppressionRecord()->ending = abi::Ending::Early;
  for (;;)
    rawSyscall(SYS_exit_group, 0);
}

} // namespace

uint64_t sizeOfInput(const abi::ExternalArgument &argument, const uint64_t *values) {
  return sizeOf(argument, 0, values, 0);
}

I64 __culprit_external(Ptr description, Ptr arguments, Ptr origins, I64 count) {
  const auto &call = *static_cast<const abi::ExternalCall *>(description);
  auto *values = static_cast<const uint64_t *>(arguments);
  checkInputs(call, values, count, __builtin_return_address(0));
  if (call.argumentCount > 0 && call.arguments[0].role == abi::ArgumentRole::Block)
    g_oldSize = sizeOfBlock(values[0]);
  bool isOmitted = call.site != 0 && isSuppressed(call.site, 0);
  if (!isOmitted && isAltered() && call.isFollowed == 0)
    isOmitted = hasCorruptInput(call, values, static_cast<const uint64_t *>(origins), count);
  if (isOmitted && call.result == abi::ResultRole::NoReturn)
    endEarly();
  if (!isOmitted && call.result == abi::ResultRole::NoReturn)
    checkBeforeEnd(call.name, __builtin_return_address(0));
  return isOmitted ? 1 : 0;
}

void __culprit_external_done(Ptr description, Ptr arguments, I64 result, I64 origin) {
  const auto &call = *static_cast<const abi::ExternalCall *>(description);
  auto *values = static_cast<const uint64_t *>(arguments);
  bool isOmitted = (origin & abi::kOriginCorrupt) != 0;
  if (call.isFollowed != 0 && !isOmitted)
    return;
  for (uint32_t i = 0; i < call.argumentCount && i < abi::kMostExternalArguments; ++i) {
    const abi::ExternalArgument &argument = call.arguments[i];
    if (values[i] == 0)
      continue;
    if (argument.role == abi::ArgumentRole::Scan)
      scannedTo(pointerTo<const char>(values[i]), values + i + 1, origin);
    if (argument.role != abi::ArgumentRole::Out && argument.role != abi::ArgumentRole::InOut)
      continue;
    bool isKnown = !isOmitted ||
                   (argument.size != abi::SizeKind::Result && argument.size != abi::SizeKind::Text);
    if (isKnown)
      setOrigin(values[i], sizeOf(argument, values[i], values, result), origin);
  }
  bool isMoved = call.argumentCount > 0 && call.arguments[0].role == abi::ArgumentRole::Block;
  if (call.result == abi::ResultRole::Block && !isOmitted && result != 0)
    noteAllocated(result, isMoved ? values[0] : 0, origin, executionOf(call, origin));
  // What is left in a freed block is what the call made of it.
  if (isMoved && !isOmitted && values[0] != 0 && values[0] != result) {
    noteFree(values[0], g_oldSize, executionOf(call, origin),
             call.result != abi::ResultRole::Block);
    setOriginOfBlock(values[0], g_oldSize, origin);
  }
}

} // namespace culprit
