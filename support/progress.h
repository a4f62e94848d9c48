// Progress of long work: one line on stderr that rewrites itself, on a terminal only.
#ifndef CULPRIT_SUPPORT_PROGRESS_H
#define CULPRIT_SUPPORT_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <string>

namespace culprit {

/// Shows `what: DONE/TOTAL` once the work has taken half a second; erases the line at the end.
class Progress {
public:
  Progress(std::string what, size_t total);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  void step();

private:
  std::string what_;
  size_t total_;
  size_t done_ = 0;
  bool isTerminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Says what is being done, until it is done.
class StatusLine {
public:
  explicit StatusLine(const std::string &what);
  ~StatusLine();
  StatusLine(const StatusLine &) = delete;
  StatusLine &operator=(const StatusLine &) = delete;

private:
  bool isShown_;
};

} // namespace culprit
#endif
