// Divisions that the processor cannot do fail, whatever is known of their operands.
//
// To LLVM a division by zero has no meaning: it makes 1 / n a comparison, n / n one, 0 / n zero,
// takes n for not zero behind a division by it, and leaves out a division whose result nobody uses.
// The same goes for the smallest number by -1, whose result does not fit. So a test goes in front,
// whose failing side does such a division for certain:
//
//     %q = sdiv i32 1, %n          %m = add i32 %n, 1
//                                  %r = icmp ule i32 %m, 1
//                                  br i1 %r, label %rare, label %goes.on
//                                rare:
//                                  (by zero, or of the smallest number: fails)
//                                goes.on:
//                                  %q = sdiv i32 1, %n
//
// It costs a comparison beside a division. One by a constant -1 is a negation in any build.
#ifndef CULPRIT_COMPILER_MEMORY_DIVISIONS_H
#define CULPRIT_COMPILER_MEMORY_DIVISIONS_H

#include <llvm/IR/Module.h>

namespace culprit {

/// For modes that do not follow values: those have their own way past a division.
void keepDivisions(llvm::Module &module);

} // namespace culprit
#endif
