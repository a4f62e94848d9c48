// Version scripts of executables, opened for the runtime.
#ifndef CULPRIT_COMPILER_TWIN_VERSION_SCRIPT_H
#define CULPRIT_COMPILER_TWIN_VERSION_SCRIPT_H

#include <string>

namespace culprit {

/// `script` with `patterns` (each ended by `;`) among the global symbols of its first version. A
/// script such as `{ local: *; };` would hide the runtime from twin libraries.
std::string exportFromVersionScript(const std::string &script, const std::string &patterns);

} // namespace culprit
#endif
