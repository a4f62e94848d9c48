// The buffers behind cin, cout and their relatives.
//
// They are objects of the shared library, made before any constructor runs, and again by
// sync_with_stdio; bytes would pass through its functions. Their classes are known
// (ext/stdio_sync_filebuf.h, ext/stdio_filebuf.h), so the objects get the virtual tables of the
// executable's copies. The objects themselves stay: a build that follows bytes allocates what
// others allocate.
#ifndef CULPRIT_EXTERNALS_SHIMS_CPP_STANDARD_STREAMS_H
#define CULPRIT_EXTERNALS_SHIMS_CPP_STANDARD_STREAMS_H

namespace culprit {

/// Done before the program's constructors, in executables; libraries may be closed before the
/// streams are.
void adoptStandardStreams();

} // namespace culprit
#endif
