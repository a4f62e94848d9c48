// Files that the program has mapped and changes by other ways.
//
// A replay maps copies of files as they were when they were mapped. What is written to such a file
// afterwards, by a call or through another mapping, shows in the program's memory, and is in no
// event: the recording ends there, with the reason.
#ifndef CULPRIT_RUNTIME_RECORDER_MAPPED_FILES_H
#define CULPRIT_RUNTIME_RECORDER_MAPPED_FILES_H

#include "runtime/recorder/effects.h"

namespace culprit {

/// A mapping was made at `place`.
void noteMapped(const ProgramCall &call, uint64_t place);
/// Memory is no mapping any more, or was moved.
void forgetMapped(uint64_t begin, uint64_t size);
void moveMapped(uint64_t from, uint64_t to, uint64_t size);
/// A call has opened a file.
void noteOpened(const ProgramCall &call, long result);

/// Whether a mapping would show what the program writes to another one, or the other way round.
bool sharesMapped(const ProgramCall &call);
/// Whether a call would change what a mapping shows.
bool changesMapped(const ProgramCall &call);

} // namespace culprit
#endif
