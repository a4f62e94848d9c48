// Files that were packed for one recording and are wanted for the next: libc, for one, which takes
// longer to pack than most programs take.
#ifndef CULPRIT_RECORDING_PACKED_FILES_H
#define CULPRIT_RECORDING_PACKED_FILES_H

#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace culprit {

/// A file is told by what the system says of it.
class PackedFiles {
public:
  PackedFiles() = default;
  virtual ~PackedFiles() = default;
  PackedFiles(const PackedFiles &) = delete;
  PackedFiles &operator=(const PackedFiles &) = delete;

  /// The chunk (log.h) that was added for it.
  virtual std::optional<std::string> find(const struct stat &file) = 0;
  virtual void add(const struct stat &file, std::string_view chunk) = 0;
};

} // namespace culprit
#endif
