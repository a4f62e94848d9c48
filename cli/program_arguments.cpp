// See program_arguments.h.
#include "cli/program_arguments.h"

#include "compiler/loader/libtool_script.h"
#include "support/diagnostics.h"

#include <cstring>

namespace culprit {
namespace {
std::vector<std::string> g_arguments;
bool g_given = false;
} // namespace

int splitProgramArguments(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--") != 0)
      continue;
    g_given = true;
    g_arguments.assign(argv + i + 1, argv + argc);
    return i;
  }
  return argc;
}

bool hasProgramArguments() {
  return g_given;
}

const std::vector<std::string> &programArguments(const char *command) {
  if (g_arguments.empty())
    failUsage("no program given; expected 'culprit {} [OPTIONS] -- PROGRAM [ARGUMENTS]'", command);
  g_arguments[0] = throughLibtoolScript(g_arguments[0]);
  return g_arguments;
}

} // namespace culprit
