// The text of a file of /proc, which has no size.
#ifndef CULPRIT_SANDBOX_PROC_TEXT_H
#define CULPRIT_SANDBOX_PROC_TEXT_H

#include "sandbox/unique_fd.h"

#include <fcntl.h>
#include <string>

namespace culprit {

/// Empty if there is none.
inline std::string procText(int folder, const std::string &name) {
  UniqueFd file(openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(file.get(), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  return text;
}

inline std::string procText(const std::string &path) {
  return procText(AT_FDCWD, path);
}

} // namespace culprit
#endif
