// Bitcode to test with.
#ifndef CULPRIT_TEST_UNIT_EMBED_BITCODE_H
#define CULPRIT_TEST_UNIT_EMBED_BITCODE_H

#include <string>
#include <vector>

namespace culprit {

/// A module as text, made into bitcode.
std::string assemble(const char *text);

/// Small modules that between them have functions, globals, debug info and metadata.
std::vector<std::string> smallModules();

/// What clang-19 makes of C and C++ sources, at -O0 and -O2 with -g.
std::vector<std::string> compiledModules();

} // namespace culprit
#endif
