// See diagnostics.h.
#include "support/diagnostics.h"

#include "support/output.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace culprit {
namespace {
bool g_quiet = false;

struct Look {
  const char *name;
  const char *colour;
};

Look lookOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return {"error", "\033[1;31m"};
  case Severity::Warning:
    return {"warning", "\033[1;35m"};
  case Severity::Note:
    return {"note", "\033[1;36m"};
  }
  return {"error", ""};
}
} // namespace

bool wantsColour(int fd) {
  if (const char *no = std::getenv("NO_COLOR"); no && *no)
    return false;
  if (const char *force = std::getenv("CLICOLOR_FORCE"); force && *force && *force != '0')
    return true;
  return isatty(fd) != 0;
}

void setQuiet(bool quiet) {
  g_quiet = quiet;
}

bool isQuiet() {
  return g_quiet;
}

void diagnose(Severity severity, const std::string &message) {
  if (g_quiet && severity != Severity::Error)
    return;
  Look look = lookOf(severity);
  bool colour = wantsColour(STDERR_FILENO);
  writeErr(fmt::format("culprit: {}{}:{} {}\n", colour ? look.colour : "", look.name,
                       colour ? "\033[0m" : "", message));
}

} // namespace culprit
