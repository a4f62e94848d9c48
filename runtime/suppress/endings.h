// What a program leaves behind that ends before its functions return.
#ifndef CULPRIT_RUNTIME_SUPPRESS_ENDINGS_H
#define CULPRIT_RUNTIME_SUPPRESS_ENDINGS_H

namespace culprit {

/// This is the process that is run.
void startEndings();

/// The function of that name is about to be called, from before `pc`. If that ends the program,
/// guard words of functions that will not return are looked at now, and all else where nothing is
/// done after it.
void checkBeforeEnd(const char *name, const void *pc);

} // namespace culprit
#endif
