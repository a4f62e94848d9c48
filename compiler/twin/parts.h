// Parts of large modules: functions that are compiled by themselves.
//
// Which sites a suppression build can suppress or probe is compiled into its twins, and to compile
// a large module anew for each of them takes long. So a large module has one twin without such
// sites, an *open* one: what was local to the module has a hidden symbol there, with a name that no
// other module has. A part is one function of the module with its special sites, as an object of
// its own. It is linked in front of the open twin, in place of the function there
// (part_objects.h). Only for modes that optimise nothing: elsewhere a function may have been
// inlined.
#ifndef CULPRIT_COMPILER_TWIN_PARTS_H
#define CULPRIT_COMPILER_TWIN_PARTS_H

#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <set>
#include <string>
#include <vector>

namespace culprit {

/// What is local to a module; taken before anything is added to it. What is local to a group, such
/// as the initialiser of an inline variable, stays so: nothing outside of the group refers to it.
class LocalSymbols {
public:
  explicit LocalSymbols(llvm::Module &module);
  /// Makes hidden symbols of them, with names of their own.
  void share(const std::string &moduleId) const;

private:
  std::vector<llvm::WeakVH> values_;
};

/// The linkage names of the functions that parts can replace.
std::set<std::string> replaceableFunctions(const llvm::Module &module, bool forSharedLibrary);

/// Leaves no code in the functions that the part of that name does not need.
void emptyOthers(llvm::Module &module, const std::string &part);

/// Leaves nothing but that function, with what is inlined into it. The open twin has all else that
/// it refers to; local symbols are shared already.
void keepPart(llvm::Module &module, const llvm::Function &part);

} // namespace culprit
#endif
