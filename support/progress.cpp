// See progress.h.
#include "support/progress.h"

#include "support/diagnostics.h"
#include "support/output.h"

#include <unistd.h>

namespace culprit {

Progress::Progress(std::string what, size_t total)
    : what_(std::move(what)), total_(total), isTerminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::step() {
  ++done_;
  if (!isTerminal_ || isQuiet() ||
      std::chrono::steady_clock::now() - start_ < std::chrono::milliseconds(500))
    return;
  shown_ = true;
  writeErr(fmt::format("\r\033[Kculprit: {}: {}/{}", what_, done_, total_));
}

Progress::~Progress() {
  if (shown_)
    writeErr("\r\033[K");
}

StatusLine::StatusLine(const std::string &what)
    : isShown_(isatty(STDERR_FILENO) != 0 && !isQuiet()) {
  if (isShown_)
    writeErr("\r\033[Kculprit: " + what);
}

StatusLine::~StatusLine() {
  if (isShown_)
    writeErr("\r\033[K");
}

} // namespace culprit
