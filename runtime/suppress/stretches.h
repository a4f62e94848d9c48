// Which stretches of shadow have been made, and all the words in them: for tables that grow with
// what was ever noted and want to forget what the shadow speaks of no more.
#ifndef CULPRIT_RUNTIME_SUPPRESS_STRETCHES_H
#define CULPRIT_RUNTIME_SUPPRESS_STRETCHES_H

#include <stdint.h>

namespace culprit {

struct ShadowStretch {
  uint64_t begin;
  uint64_t size;
};

void noteStretch(uint64_t begin, uint64_t size);

/// Null if there were more than can be noted: then nobody knows all words.
const ShadowStretch *madeStretches(uint64_t &count);

/// Bytes of shadow, whether they were used or not.
uint64_t sizeOfShadow();

/// Most words are the same as those around them. Stretches are multiples of a page.
inline constexpr uint64_t kWordsAtOnce = 4;

/// Calls `visit` with every word of the shadow that is not 0 and not the same as the one before,
/// which it may change. False if not all are known.
template <typename Visit> bool visitShadow(Visit visit) {
  uint64_t count = 0;
  const ShadowStretch *stretches = madeStretches(count);
  if (!stretches)
    return count == 0;
  uint64_t last = 0;
  for (uint64_t i = 0; i < count; ++i) {
    auto *word = reinterpret_cast<uint64_t *>(stretches[i].begin);
    const auto *end = reinterpret_cast<const uint64_t *>(stretches[i].begin + stretches[i].size);
    for (; word < end; word += kWordsAtOnce) {
      if (((word[0] ^ last) | (word[1] ^ last) | (word[2] ^ last) | (word[3] ^ last)) == 0)
        continue;
      for (uint64_t at = 0; at < kWordsAtOnce; ++at)
        if (word[at] != last) {
          last = word[at];
          if (last != 0)
            visit(word[at]);
        }
    }
  }
  return true;
}

} // namespace culprit
#endif
