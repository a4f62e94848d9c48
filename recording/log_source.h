// Where the bytes of a log come from: memory, or a file that is read piece by piece, so that a
// large one is in memory only once.
#ifndef CULPRIT_RECORDING_LOG_SOURCE_H
#define CULPRIT_RECORDING_LOG_SOURCE_H

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace culprit {

class LogSource {
public:
  explicit LogSource(std::string_view bytes) : bytes_(bytes) {}
  /// Throws Failure when the file cannot be opened.
  explicit LogSource(const std::filesystem::path &path);
  ~LogSource();
  LogSource(const LogSource &) = delete;
  LogSource &operator=(const LogSource &) = delete;

  /// Copies the next bytes; returns how many there were, up to `size`. Throws Failure when they
  /// cannot be read.
  size_t take(void *to, size_t size);

  /// The file; -1: it is memory.
  int file() const { return file_; }
  /// How many bytes were taken.
  uint64_t position() const { return position_; }

private:
  std::string_view bytes_;
  uint64_t position_ = 0;
  std::filesystem::path path_;
  int file_ = -1;
};

} // namespace culprit
#endif
