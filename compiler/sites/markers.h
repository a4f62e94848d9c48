// Definition markers: statements that promotion to SSA would erase stay statements with a line.
//
// `q2 = &x[0];` is a store to a stack slot; once the slot is promoted nothing of it is left, and a
// value that came from there has no definition to name. Before promotion every store to a named
// local passes its value through an opaque call that carries the store's site:
//
//     store ptr %v, ptr %q2              %m = call ptr @culprit.define.ptr(ptr %v), !culprit.site
//     !7
//                                        store ptr %m, ptr %q2, !culprit.site !7
//
// After promotion the uses of the variable use %m. A mode that does not want a marker replaces it
// by its operand.
#ifndef CULPRIT_COMPILER_SITES_MARKERS_H
#define CULPRIT_COMPILER_SITES_MARKERS_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace culprit {

inline constexpr char kMarkerPrefix[] = "culprit.define.";

/// Puts a marker on every store to a named local. Sites must be attached.
void insertMarkers(llvm::Module &module);

/// `value`, passed through a marker of that site.
llvm::Value *markDefinition(llvm::IRBuilder<> &builder, llvm::Value *value, uint32_t site);

/// Replaces every marker by its operand.
void dropMarkers(llvm::Module &module);

bool isMarker(const llvm::CallBase &call);

} // namespace culprit
#endif
