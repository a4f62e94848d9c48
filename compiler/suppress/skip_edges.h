// Ways past statements: what a suppressed run takes when a branch depends on a corrupt value.
//
// Neither side of such a branch can be trusted, so control goes on where both meet
// (post_dominators.h). The ways are put in before locals are promoted: a variable that a skipped
// statement would have set then keeps its old value by itself, because promotion finds the other
// way into the block. Until `followOrigins` (origins.h) opaque calls stand for what is not known
// yet:
//
//     br i1 %c, A, B          %corrupt = call i1 @culprit.corrupt.i1(i1 %c)
//                             br i1 %corrupt, skip, branch
//                          branch:
//                             br i1 %c, A, B
//                          skip:
//                             br label %MEET, !culprit.skipped
//
// A branch that is asked to choose takes a side all the same, if the run wants that (abi::Way):
//
//                          skip:
//                             %way = call i64 @culprit.skip()
//                             switch i64 %way, label %past [computed: branch, other: turned]
//                          turned:
//                             br i1 %c, B, A
//                          past:
//                             br label %MEET, !culprit.skipped
//
// The clock's ticks are calls of the same sort: at the entry of a function and where a loop begins
// a round. So are the declarations of arrays and records: until they are set, they hold what they
// were declared with (scalars: compiler/memory/uninitialised.h).
#ifndef CULPRIT_COMPILER_SUPPRESS_SKIP_EDGES_H
#define CULPRIT_COMPILER_SUPPRESS_SKIP_EDGES_H

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <set>

namespace culprit {

inline constexpr char kCorruptPrefix[] = "culprit.corrupt.";
inline constexpr char kTickName[] = "culprit.tick";
/// Of an array or record that was declared: where it is, and its size.
inline constexpr char kDeclareName[] = "culprit.declare";
/// Of a branch that depends on a corrupt value: yields an abi::Way.
inline constexpr char kSkipName[] = "culprit.skip";
/// In shims: some of the statements are gone past, so what comes out is not what would have.
inline constexpr char kLeftName[] = "culprit.left";
/// Metadata of the branch or return that ends a way past statements; what it returns is corrupt.
inline constexpr char kSkippedEnd[] = "culprit.skipped";

/// Whether a function's statements can be skipped and its values followed.
bool canBeSuppressed(const llvm::Function &function);

struct SkipOptions {
  bool ticks = true;  ///< else the clock stands still: what a shim does happens at the call's time
  bool edges = true;  ///< else nothing is skipped; the rest is as if something could be
  bool notes = false; ///< branches tell when they go past what they decide
  const std::set<uint32_t> *choosing = nullptr; ///< sites of branches that may take a side; or null
};

/// Sites must be attached; `module` is not promoted yet.
void prepareSkips(llvm::Module &module, const SkipOptions &options);

} // namespace culprit
#endif
