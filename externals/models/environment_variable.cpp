// The environment, by its three names; libc sets it before any constructor.
#include "externals/models/library_variable.h"

// NOLINTBEGIN(bugprone-reserved-identifier)
CULPRIT_VARIABLE char **__environ = nullptr;
CULPRIT_ALIAS(__environ) char **environ;
CULPRIT_ALIAS(__environ) char **_environ;
// NOLINTEND(bugprone-reserved-identifier)
