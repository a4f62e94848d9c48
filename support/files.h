// Whole files in and out, atomically where others may look on.
#ifndef CULPRIT_SUPPORT_FILES_H
#define CULPRIT_SUPPORT_FILES_H

#include <filesystem>
#include <string>
#include <string_view>

namespace culprit {

/// A read-only mapping of a whole file; empty files map to an empty view.
class MappedFile {
public:
  /// Throws Failure (usage) that names the file and the system's reason.
  explicit MappedFile(const std::filesystem::path &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  std::string_view bytes() const { return {data_, size_}; }

private:
  const char *data_ = nullptr;
  size_t size_ = 0;
};

/// Writes `bytes` so that a reader sees the old file or the new one, never a part: a temporary file
/// in the same folder, then rename. What is no regular file (/dev/null, a pipe) is written to in
/// place. Throws Failure with the system's reason (disk full, read-only).
void writeFileAtomically(const std::filesystem::path &path, std::string_view bytes);

/// The same for a path that only we write to, by way of the temporary file `temporary`, a name that
/// ends in XXXXXX, on the same file system.
void replaceFile(const std::filesystem::path &path, std::string temporary, std::string_view bytes);

std::string readFile(const std::filesystem::path &path);

/// The folder of the running tool's own helpers and runtime: `../libexec/culprit` of its real path.
std::filesystem::path libexecFolder();

} // namespace culprit
#endif
