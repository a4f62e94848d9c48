// See output.h.
#include "support/output.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace culprit {

void writeOut(std::string_view text) {
  if (fwrite(text.data(), 1, text.size(), stdout) != text.size() || fflush(stdout) != 0)
    failUsage("cannot write to standard output: {}", std::strerror(errno));
}

void writeErr(std::string_view text) {
  (void)fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace culprit
