// Random numbers of the processor in a program that is recorded.
#ifndef CULPRIT_COMPILER_MODES_RECORD_RANDOM_H
#define CULPRIT_COMPILER_MODES_RECORD_RANDOM_H

namespace llvm {
class Function;
}

namespace culprit {

/// Makes `rdrand` and `rdseed` known to the recorder (abi/recording.h, kTrap...): as intrinsics
/// they become traps that it answers, and before assembler that has them stands one that stops it.
void trapRandomNumbers(llvm::Function &function);

} // namespace culprit
#endif
