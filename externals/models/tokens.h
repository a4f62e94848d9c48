// Handles: what the program gets in place of a pointer to an object of libc's, such as DIR.
//
// A token is an address in a range where nothing is mapped (abi/memory_map.h), the same in every
// run that makes and drops handles in the same order. What it stands for is in a table outside of
// the program's memory. The program can copy and compare tokens and hand them to foreign code,
// whose calls with them come through the same functions.
#ifndef CULPRIT_EXTERNALS_MODELS_TOKENS_H
#define CULPRIT_EXTERNALS_MODELS_TOKENS_H

#include "abi/memory_map.h"

#include <stdint.h>

namespace culprit {

enum class TokenKind : uint32_t {
  None,
  Directory,
  Conversion,
  Catalogue,
  Locale,
  Expression,
  SpawnActions,
  WideClass,
  WideMapping,
  Library,
};

struct TokenEntry {
  TokenKind kind;
  uint32_t nextFree; ///< index + 1, in an entry without a kind
  void *theirs;      ///< the object of libc's
  void *ours;        ///< memory of the program that goes with it, or null
};

/// Null when there is no memory.
void *makeToken(TokenKind kind, void *theirs, void *ours = nullptr);

/// The token of that kind for `theirs`, made if there is none.
void *tokenFor(TokenKind kind, void *theirs);

/// Its entry; null if it is no token, or not one of that kind, or dropped.
TokenEntry *entryOf(TokenKind kind, const void *token);

void dropToken(const void *token);

inline bool isToken(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer) - abi::kTokenBase < abi::kTokenLimit - abi::kTokenBase;
}

} // namespace culprit
#endif
