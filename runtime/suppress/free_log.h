// The blocks that were freed, in their order, as far as anybody may still ask for them.
//
// Asked for is the last free of a block's address, and the one whose execution, or the allocation
// before it, is the origin of some value. When the log is full, all else is forgotten: frees of
// addresses that were freed again since, and whose executions no origin names that is in the
// shadow, on the stack or in the registers.
#ifndef CULPRIT_RUNTIME_SUPPRESS_FREE_LOG_H
#define CULPRIT_RUNTIME_SUPPRESS_FREE_LOG_H

#include "runtime/suppress/met_executions.h"
#include "runtime/suppress/word_set.h"

#include <stdint.h>

namespace culprit {

struct Free {
  uint64_t number; ///< of frees before it
  uint64_t block;
  uint64_t size;
  uint64_t allocation; ///< the execution that had allocated the block, as an origin
  uint64_t origin;     ///< the execution that freed it
  bool isOnly;         ///< which did nothing else
  bool isLast = true;  ///< of that address, when some were last forgotten
};

class FreeLog {
public:
  /// `one.number` need not be set.
  void add(Free one);

  /// How many frees there were.
  uint64_t count() const { return count_; }

  /// Calls `visit` with each free that is known, the last one first, until it returns true.
  template <typename Visit> void visit(Visit visit) const {
    for (uint64_t i = used_; i > 0; --i)
      if (visit(frees_[i - 1]))
        return;
  }

private:
  void makeRoom();
  void forget();
  void noteLast();

  Free *frees_ = nullptr;
  uint64_t size_ = 0; ///< of them
  uint64_t used_ = 0;
  uint64_t count_ = 0;
  WordSet blocks_;      ///< that were freed
  MetExecutions named_; ///< by origins
};

} // namespace culprit
#endif
