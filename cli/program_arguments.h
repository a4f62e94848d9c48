// The program after `--`: kept away from the option parser, which must not touch its words.
#ifndef CULPRIT_CLI_PROGRAM_ARGUMENTS_H
#define CULPRIT_CLI_PROGRAM_ARGUMENTS_H

#include <string>
#include <vector>

namespace culprit {

/// Remembers what follows the first `--`; returns how many words come before it.
int splitProgramArguments(int argc, char **argv);

bool hasProgramArguments();

/// The program, as throughLibtoolScript() names it, and its arguments. Throws Failure when there
/// are none.
const std::vector<std::string> &programArguments(const char *command);

} // namespace culprit
#endif
