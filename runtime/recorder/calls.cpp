// See calls.h.
#include "runtime/recorder/calls.h"

#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr Effect Fixed(uint8_t a, uint16_t n) {
  return {EffectRule::Fixed, a, 0, n};
}
constexpr Effect Always(uint8_t a, uint16_t n) {
  return {EffectRule::Always, a, 0, n};
}
constexpr Effect Result(uint8_t a, uint8_t b) {
  return {EffectRule::Result, a, b, 1};
}
constexpr Effect Results(uint8_t a, uint8_t b, uint16_t n) {
  return {EffectRule::Results, a, b, n};
}
constexpr Effect Array(uint8_t a, uint8_t b, uint16_t n) {
  return {EffectRule::Array, a, b, n};
}
constexpr Effect Name(uint8_t a, uint8_t b) {
  return {EffectRule::Name, a, b, 0};
}
constexpr Effect Vector(uint8_t a, uint8_t b) {
  return {EffectRule::Vector, a, b, 0};
}
constexpr Effect Message(uint8_t a) {
  return {EffectRule::Message, a, 0, 0};
}
constexpr Effect Messages(uint8_t a) {
  return {EffectRule::Messages, a, 0, 0};
}
constexpr Effect Sizes(uint8_t a) {
  return {EffectRule::Sizes, a, 0, 0};
}
constexpr Effect Set(uint8_t a) {
  return {EffectRule::Set, a, 0, 0};
}
constexpr Effect Sent(uint8_t a) {
  return {EffectRule::Sent, a, 0, 0};
}
constexpr Effect SentVector(uint8_t a, uint8_t b) {
  return {EffectRule::SentVector, a, b, 0};
}
constexpr Effect SentMessage(uint8_t a) {
  return {EffectRule::SentMessage, a, 0, 0};
}
constexpr Effect SentMessages(uint8_t a) {
  return {EffectRule::SentMessages, a, 0, 0};
}

using enum Way;

constexpr CallRow kRows[] = {
#define CALL(name, arguments, way, flags, ...) {SYS_##name, arguments, way, flags, {__VA_ARGS__}},
#include "abi/system_calls.def"
#undef CALL
};

constexpr int kMostCalls = 512;

struct Index {
  uint16_t row[kMostCalls]; ///< one more than the row's number; 0: none
};

constexpr Index makeIndex() {
  Index index = {};
  uint16_t next = 0;
  for (const CallRow &row : kRows)
    index.row[row.number] = ++next;
  return index;
}

constexpr Index kIndex = makeIndex();

} // namespace

const CallRow *findCall(long number) {
  if (number < 0 || number >= kMostCalls || kIndex.row[number] == 0)
    return nullptr;
  return &kRows[kIndex.row[number] - 1];
}

} // namespace culprit
