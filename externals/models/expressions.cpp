// Regular expressions: a compiled one is libc's, behind a token in the program's regex_t. The
// fields that programs read or set (GNU's interface has several) are carried over at each call.
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/moved_block.h"
#include "externals/models/tokens.h"
#include "externals/outside.h"
#include "runtime/heap.h"

#include <regex.h>
#include <string.h>

namespace culprit {
namespace {

regex_t *behind(const regex_t *ours) {
  TokenEntry *entry = entryOf(TokenKind::Expression, ours->buffer);
  return entry ? static_cast<regex_t *>(entry->theirs) : nullptr;
}

re_dfa_t *asBuffer(void *token) {
  return static_cast<re_dfa_t *>(token);
}

/// What the program has set, for libc; then what libc has set, for the program.
class Carried {
public:
  Carried(regex_t *ours, regex_t *theirs) : ours_(ours), theirs_(theirs) {
    re_dfa_t *buffer = theirs->buffer;
    *theirs = *ours;
    theirs->buffer = buffer;
  }
  ~Carried() {
    re_dfa_t *token = ours_->buffer;
    *ours_ = *theirs_;
    ours_->buffer = token;
    theirs_->fastmap = nullptr; // these are the program's
    theirs_->translate = nullptr;
  }
  Carried(const Carried &) = delete;
  Carried &operator=(const Carried &) = delete;

private:
  regex_t *ours_;
  regex_t *theirs_;
};

/// libc's expression for one that the program is about to compile; null without memory.
regex_t *begin(regex_t *ours) {
  if (regex_t *theirs = behind(ours))
    return theirs;
  auto *theirs = static_cast<regex_t *>(__libc_malloc(sizeof(regex_t)));
  void *token = theirs ? makeToken(TokenKind::Expression, theirs) : nullptr;
  if (!token) {
    __libc_free(theirs);
    return nullptr;
  }
  memset(theirs, 0, sizeof *theirs);
  ours->buffer = asBuffer(token);
  return theirs;
}

void end(regex_t *ours, regex_t *theirs) {
  dropToken(ours->buffer);
  __libc_free(theirs);
  ours->buffer = nullptr;
}

/// Arrays of registers that libc has allocated.
void moveRegisters(re_registers *registers) {
  if (!registers || !registers->start || isHeapAddress(registers->start))
    return;
  size_t size = registers->num_regs * sizeof(regoff_t);
  registers->start = static_cast<regoff_t *>(movedBlock(registers->start, size));
  registers->end = static_cast<regoff_t *>(movedBlock(registers->end, size));
}

/// Registers are libc's to allocate in these two states.
bool mayAllocate(const regex_t *expression) {
  return expression->regs_allocated != REGS_FIXED && !expression->no_sub;
}

template <typename Search>
regoff_t searchFor(regex_t *ours, re_registers *registers, const Search &search) {
  regex_t *theirs = behind(ours);
  if (!theirs)
    return search(ours);
  Carried carried(ours, theirs);
  bool moves = mayAllocate(theirs);
  regoff_t result = search(theirs);
  if (moves)
    moveRegisters(registers);
  return result;
}

} // namespace

CULPRIT_EXTERNAL int regcomp(regex_t *ours, const char *pattern, int flags) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(regcomp)(ours, pattern, flags);
  *ours = {};
  regex_t *theirs = begin(ours);
  if (!theirs)
    return REG_ESPACE;
  int error = CULPRIT_NEXT(regcomp)(theirs, pattern, flags);
  re_dfa_t *token = ours->buffer;
  *ours = *theirs;
  ours->buffer = token;
  ours->fastmap = nullptr;
  ours->translate = nullptr;
  if (error != 0)
    end(ours, theirs);
  return error;
}

CULPRIT_EXTERNAL int regexec(const regex_t *expression, const char *text, size_t count,
                             regmatch_t *matches, int flags) {
  const regex_t *theirs = behind(expression);
  return CULPRIT_NEXT(regexec)(theirs ? theirs : expression, text, count, matches, flags);
}

CULPRIT_EXTERNAL void regfree(regex_t *ours) {
  regex_t *theirs = behind(ours);
  if (!theirs) {
    CULPRIT_NEXT(regfree)(ours);
    return;
  }
  if (ours->fastmap)
    theirs->fastmap = ours->fastmap;
  if (ours->translate)
    theirs->translate = ours->translate;
  CULPRIT_NEXT(regfree)(theirs);
  end(ours, theirs);
  ours->allocated = 0;
  ours->fastmap = nullptr;
  ours->translate = nullptr;
}

// GNU's interface.

CULPRIT_EXTERNAL const char *re_compile_pattern(const char *pattern, size_t length, regex_t *ours) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(re_compile_pattern)(pattern, length, ours);
  regex_t *theirs = begin(ours);
  if (!theirs)
    return "Memory exhausted";
  Carried carried(ours, theirs);
  const char *error = CULPRIT_NEXT(re_compile_pattern)(pattern, length, theirs);
  return keptText(error);
}

CULPRIT_EXTERNAL int re_compile_fastmap(regex_t *ours) {
  regex_t *theirs = behind(ours);
  if (!theirs)
    return CULPRIT_NEXT(re_compile_fastmap)(ours);
  Carried carried(ours, theirs);
  return CULPRIT_NEXT(re_compile_fastmap)(theirs);
}

CULPRIT_EXTERNAL regoff_t re_search(regex_t *ours, const char *text, regoff_t length,
                                    regoff_t start, regoff_t range, re_registers *registers) {
  return searchFor(ours, registers, [&](regex_t *theirs) {
    return CULPRIT_NEXT(re_search)(theirs, text, length, start, range, registers);
  });
}

CULPRIT_EXTERNAL regoff_t re_search_2(regex_t *ours, const char *first, regoff_t firstLength,
                                      const char *second, regoff_t secondLength, regoff_t start,
                                      regoff_t range, re_registers *registers, regoff_t stop) {
  return searchFor(ours, registers, [&](regex_t *theirs) {
    return CULPRIT_NEXT(re_search_2)(theirs, first, firstLength, second, secondLength, start, range,
                                     registers, stop);
  });
}

CULPRIT_EXTERNAL regoff_t re_match(regex_t *ours, const char *text, regoff_t length, regoff_t start,
                                   re_registers *registers) {
  return searchFor(ours, registers, [&](regex_t *theirs) {
    return CULPRIT_NEXT(re_match)(theirs, text, length, start, registers);
  });
}

CULPRIT_EXTERNAL regoff_t re_match_2(regex_t *ours, const char *first, regoff_t firstLength,
                                     const char *second, regoff_t secondLength, regoff_t start,
                                     re_registers *registers, regoff_t stop) {
  return searchFor(ours, registers, [&](regex_t *theirs) {
    return CULPRIT_NEXT(re_match_2)(theirs, first, firstLength, second, secondLength, start,
                                    registers, stop);
  });
}

} // namespace culprit
