// See log_source.h.
#include "recording/log_source.h"

#include "support/diagnostics.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace culprit {

LogSource::LogSource(const std::filesystem::path &path)
    : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0)
    failUsage("cannot open '{}': {}", path.string(), std::strerror(errno));
}

LogSource::~LogSource() {
  if (file_ >= 0)
    close(file_);
}

size_t LogSource::take(void *to, size_t size) {
  if (file_ < 0) {
    size = std::min(size, bytes_.size());
    std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
    position_ += size;
    return size;
  }
  size_t done = 0;
  while (done < size) {
    ssize_t part = read(file_, static_cast<char *>(to) + done, size - done);
    if (part < 0 && errno != EINTR)
      failUsage("cannot read '{}': {}", path_.string(), std::strerror(errno));
    if (part == 0)
      break;
    done += part > 0 ? static_cast<size_t>(part) : 0;
  }
  position_ += done;
  return done;
}

} // namespace culprit
