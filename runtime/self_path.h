// Names by which a process knows its own executable.
#ifndef CULPRIT_RUNTIME_SELF_PATH_H
#define CULPRIT_RUNTIME_SELF_PATH_H

namespace culprit {

/// /proc/self/exe and its synonyms.
bool namesSelf(const char *path);

/// The user's program where `path` is a name of the process itself, else `path`.
const char *translateSelf(const char *path);

} // namespace culprit
#endif
