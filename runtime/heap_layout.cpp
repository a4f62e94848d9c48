// See heap_layout.h.
#include "runtime/heap_layout.h"

#include <string.h>

namespace culprit {
namespace {

constexpr uint64_t kMostSpacing = 1 << 26;
constexpr uint64_t kMostGuard = 1 << 16;

/// Takes `key` and the colon off the front of `text`.
bool takeKey(const char *&text, const char *key) {
  size_t length = strlen(key);
  if (strncmp(text, key, length) != 0 || text[length] != ':')
    return false;
  text += length + 1;
  return true;
}

int digitValue(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : 16;
}

/// A number of at most `most`; null when there is none.
const char *takeNumber(const char *text, uint64_t most, uint64_t &number) {
  uint64_t base = strncmp(text, "0x", 2) == 0 ? 16 : 10;
  text += base == 16 ? 2 : 0;
  const char *begin = text;
  number = 0;
  for (uint64_t digit; (digit = static_cast<uint64_t>(digitValue(*text))) < base; ++text) {
    if (number > (most - digit) / base)
      return nullptr;
    number = number * base + digit;
  }
  return text == begin ? nullptr : text;
}

const char *takeOrder(const char *text, HeapOrder &order) {
  static constexpr const char *kNames[] = {"up", "down", "shuffled"};
  for (unsigned i = 0; i < 3; ++i)
    if (size_t length = strlen(kNames[i]); strncmp(text, kNames[i], length) == 0) {
      order = static_cast<HeapOrder>(i);
      return text + length;
    }
  return nullptr;
}

/// One KEY:VALUE; returns what follows it, or null.
const char *takeSetting(const char *text, HeapLayout &layout) {
  if (takeKey(text, "order"))
    return takeOrder(text, layout.order);
  if (takeKey(text, "seed"))
    return takeNumber(text, UINT64_MAX, layout.seed);
  uint64_t number;
  if (takeKey(text, "spacing")) {
    text = takeNumber(text, kMostSpacing, number);
    layout.spacing = static_cast<uint32_t>(number);
  } else if (takeKey(text, "guard")) {
    text = takeNumber(text, kMostGuard, number);
    layout.guardBytes = static_cast<uint32_t>(number);
  } else if (takeKey(text, "fresh")) {
    text = takeNumber(text, UINT8_MAX, number);
    layout.freshFill = static_cast<int>(number);
  } else if (takeKey(text, "freed")) {
    text = takeNumber(text, UINT8_MAX, number);
    layout.freedFill = static_cast<int>(number);
  } else if (takeKey(text, "reuse")) {
    text = takeNumber(text, 1, number);
    layout.reuses = number != 0;
  } else if (takeKey(text, "fence")) {
    text = takeNumber(text, 1, number);
    layout.fences = number != 0;
  } else {
    return nullptr;
  }
  return text;
}

} // namespace

bool parseHeapLayout(const char *text, HeapLayout &layout) {
  for (;;) {
    text = takeSetting(text, layout);
    if (!text || (*text != 0 && *text != ','))
      return false;
    if (*text++ == 0)
      return true;
  }
}

} // namespace culprit
