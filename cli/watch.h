// Watches a word of the program with a debug register of the processor.
//
// The host sets the register when the program has been executed and lets go of it: from then on
// each store to the word is a signal to the program itself, which the runtime takes note of
// (runtime/suppress). Stores by the kernel are not seen.
#ifndef CULPRIT_CLI_WATCH_H
#define CULPRIT_CLI_WATCH_H

#include <cstdint>
#include <sys/types.h>

namespace culprit {

/// In the child, before it executes the program.
void waitForWatcher();

/// In the parent: lets the child execute the program, with the register set. Throws Failure if the
/// system does not let us.
void watchWrites(pid_t child, uint64_t address);

} // namespace culprit
#endif
