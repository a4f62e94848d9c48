// References that only the original's optimiser could remove.
#ifndef CULPRIT_COMPILER_TWIN_DEAD_REFERENCES_H
#define CULPRIT_COMPILER_TWIN_DEAD_REFERENCES_H

#include "compiler/loader/program.h"

#include <string>
#include <vector>

namespace culprit {

/// The undefined symbols that a linker complains of in `output` and that the original image neither
/// has nor needs. Its code did without them: the optimiser knew more than flat memory lets it know
/// (that nobody writes to a static variable, say). The twin refers to them in code that never runs.
/// Empty when one of the symbols is the original's own: then something really is missing.
std::vector<std::string> deadReferences(const std::string &output, const Image &original);

} // namespace culprit
#endif
