// What a program that is recorded asks the processor: random numbers, and which processor it is.
#ifndef CULPRIT_COMPILER_MODES_RECORD_PROCESSOR_H
#define CULPRIT_COMPILER_MODES_RECORD_PROCESSOR_H

namespace llvm {
class Function;
}

namespace culprit {

/// Makes `rdrand`, `rdseed` and `cpuid` known to the recorder (abi/recording.h, kTrap...): random
/// numbers as intrinsics become traps that it answers, and the results of assembler with any of
/// the three go through one. Results that are no integers make it stop.
void trapProcessorValues(llvm::Function &function);

} // namespace culprit
#endif
