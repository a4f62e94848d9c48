// Divisions by zero fail, whatever is known of the dividend.
//
// To LLVM a division by zero has no meaning: it makes 1 / n a comparison, n / n one, 0 / n zero,
// takes n for not zero behind a division by it, and leaves out a division whose result nobody uses.
// So a test goes in front, whose failing side divides by zero for certain:
//
//     %q = sdiv i32 1, %n          %z = icmp eq i32 %n, 0
//                                  br i1 %z, label %fails, label %goes.on
//                                fails:
//                                  call void asm sideeffect "divl ..."
//                                  unreachable
//                                goes.on:
//                                  %q = sdiv i32 1, %n
//
// It costs a comparison beside a division. The other division that fails, of the smallest number by
// -1, is left to the processor.
#ifndef CULPRIT_COMPILER_MEMORY_DIVISIONS_H
#define CULPRIT_COMPILER_MEMORY_DIVISIONS_H

#include <llvm/IR/Module.h>

namespace culprit {

/// For modes that do not follow values: those have their own way past a division.
void keepDivisions(llvm::Module &module);

} // namespace culprit
#endif
