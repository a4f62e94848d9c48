// Which instructions of the pristine module may be meant by a place of the source.
//
// The place comes from the twin's line table. The optimiser may have made an access part of an
// operation, such as a comparison with memory, whose column it then has; or part of a vector, which
// is larger than the access. So there are sets of accesses, and the nearest that has any counts.
#ifndef CULPRIT_ANALYSIS_NAMES_ACCESS_SEARCH_H
#define CULPRIT_ANALYSIS_NAMES_ACCESS_SEARCH_H

#include <cstdint>
#include <llvm/IR/Instructions.h>
#include <optional>
#include <string>
#include <vector>

namespace culprit {

/// A place in the source where memory is accessed.
struct AccessSite {
  std::string function; ///< linkage name
  std::string file;     ///< may be empty
  unsigned line = 0, column = 0;
  std::optional<bool> isWrite; ///< where it is known
  uint64_t size = 0;           ///< bytes accessed, where it is known
  /// Of an access through a null pointer, the address: how far the member is from the pointer.
  std::optional<uint64_t> nullOffset = std::nullopt;
};

std::vector<const llvm::Instruction *> accessesAt(const llvm::Function &function,
                                                  const AccessSite &site);

/// The calls through pointers at a place, else on its line.
std::vector<const llvm::CallBase *> indirectCallsAt(const llvm::Function &function,
                                                    const AccessSite &site);

} // namespace culprit
#endif
