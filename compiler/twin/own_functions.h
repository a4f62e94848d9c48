// Which functions the program's own modules define, by name.
#ifndef CULPRIT_COMPILER_TWIN_OWN_FUNCTIONS_H
#define CULPRIT_COMPILER_TWIN_OWN_FUNCTIONS_H

#include "compiler/cache/cache.h"
#include "compiler/loader/program.h"

#include <set>
#include <string>

namespace culprit {

/// Of each module that is asked for once only: to unpack and to read one takes longer than to run
/// most programs, and every build of a mode that follows values needs to know.
std::set<std::string> ownFunctions(const Program &program, const Cache &cache);

} // namespace culprit
#endif
