// Files that the program has mapped and changes by other ways.
//
// A replay maps copies of files as they were when they were mapped. What is written to such a file
// afterwards, by a call or through another mapping, shows in the program's memory, and is in no
// event: the recording ends there, with the reason. What others write to it is found out when a
// child has ended, and at the end of a program that had children.
#ifndef CULPRIT_RUNTIME_RECORDER_MAPPED_FILES_H
#define CULPRIT_RUNTIME_RECORDER_MAPPED_FILES_H

#include "runtime/recorder/effects.h"

namespace culprit {

/// A mapping was made at `place`.
void noteMapped(const ProgramCall &call, uint64_t place);
/// Memory is no mapping any more, or was moved.
void forgetMapped(uint64_t begin, uint64_t size);
void moveMapped(uint64_t from, uint64_t to, uint64_t size);
/// Memory can be written to now.
void noteWritable(uint64_t begin, uint64_t size);
/// A call has opened a file.
void noteOpened(const ProgramCall &call, long result);
/// Whether it has opened the memory of a process for writing, which may be its own.
bool opensMemory(const ProgramCall &call, long result);
/// Whether what a call has done is to be looked at by noteOpened() or isMappedChanged().
bool isLookedAt(const ProgramCall &call);

/// Whether a mapping would show what the program writes to another one, or the other way round.
bool sharesMapped(const ProgramCall &call);
/// Whether a call would change what a mapping shows.
bool changesMapped(const ProgramCall &call);
/// Whether the program writes to files by its mappings: its children may read and write there.
bool sharesFiles();

/// A child is made: from now on, mappings are looked after for what it might change.
void rememberMapped();
/// Whether a child has ended.
bool hasWaited(const ProgramCall &call, long result);
/// Whether a mapping shows something else than when it was remembered.
bool isMappedChanged();

} // namespace culprit
#endif
