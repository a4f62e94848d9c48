// See kept_input.h.
#include "cli/kept_input.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace culprit {
namespace {

void append(int file, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0)
      failUsage("cannot keep standard input for further runs: {}", std::strerror(errno));
    bytes += written;
    count -= static_cast<size_t>(written);
  }
}

UniqueFd makeFile() {
  UniqueFd file(memfd_create("standard input", MFD_CLOEXEC));
  if (!file.isOpen())
    failUsage("cannot keep standard input for further runs: {}", std::strerror(errno));
  return file;
}

} // namespace

KeptInput::KeptInput(std::string_view bytes) : kept_(makeFile()) {
  append(kept_.get(), bytes.data(), bytes.size());
}

KeptInput::KeptInput() {
  if (isatty(STDIN_FILENO) || fcntl(STDIN_FILENO, F_GETFD) < 0)
    return;
  kept_ = makeFile();
  char buffer[1 << 16];
  for (ssize_t count; (count = read(STDIN_FILENO, buffer, sizeof buffer)) != 0;) {
    if (count > 0)
      append(kept_.get(), buffer, static_cast<size_t>(count));
    else if (errno != EINTR)
      break; // a folder, say: the program will see
  }
}

UniqueFd KeptInput::fresh() const {
  if (!kept_.isOpen())
    return UniqueFd(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  return UniqueFd(open(fmt::format("/proc/self/fd/{}", kept_.get()).c_str(), O_RDONLY | O_CLOEXEC));
}

} // namespace culprit
