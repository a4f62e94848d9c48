// Names by which a process knows its own executable.
#ifndef CULPRIT_RUNTIME_SELF_PATH_H
#define CULPRIT_RUNTIME_SELF_PATH_H

namespace culprit {

/// The user's program where `path` is a name of the process itself (/proc/self/exe and its
/// synonyms), else `path`, which may point nowhere.
const char *translateSelf(const char *path);

} // namespace culprit
#endif
