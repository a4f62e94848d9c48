// What a heap block was allocated as: a guess from the code of the allocation.
//
// Nothing at run time says what a block holds. The source does: the result of malloc or new goes,
// through casts, into a variable or a member, or to a constructor; what that points to is what the
// block consists of. Functions that only pass a block on (xmalloc, std::allocator) are seen
// through: where they return it without having put it into a variable of a telling type, their
// caller is asked.
#ifndef CULPRIT_ANALYSIS_NAMES_ALLOCATION_H
#define CULPRIT_ANALYSIS_NAMES_ALLOCATION_H

#include "analysis/names/debug_image.h"
#include "analysis/names/di_types.h"
#include "analysis/names/modules.h"

#include <llvm/IR/Instructions.h>

namespace culprit {

struct Allocation {
  std::string pointer;              ///< expression that the block was stored to; empty: not known
  const SourceType *type = nullptr; ///< of one element; null: not known
  SourcePlace place;                ///< of the call that made it; line 0: not known
};

class Allocations {
public:
  Allocations(PristineModules &modules, DITypes &types) : modules_(modules), types_(types) {}

  /// `callers`: the places of the allocation's return addresses, innermost first.
  Allocation guess(const std::vector<SourcePlace> &callers);

private:
  /// What became of one call's result.
  struct Fate {
    std::string pointer;
    const SourceType *type = nullptr;
    bool isReturned = false;
  };

  std::optional<Fate> fateAt(const SourcePlace &place);
  void follow(const llvm::Value &block, Fate &fate, unsigned depth);
  void followUse(const llvm::Value &block, const llvm::User &user, Fate &fate, unsigned depth);
  void followStore(const llvm::StoreInst &store, Fate &fate, unsigned depth);

  PristineModules &modules_;
  DITypes &types_;
};

/// Whether a function belongs to the C++ library or is an allocator by itself: a person would not
/// name its lines.
bool isLibraryFunction(const std::string &linkName);

} // namespace culprit
#endif
