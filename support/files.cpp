// See files.h.
#include "support/files.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;

MappedFile::MappedFile(const fs::path &path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    failUsage("cannot open '{}': {}", path.string(), std::strerror(errno));
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    failUsage("'{}' is not a regular file", path.string());
  }
  size_ = static_cast<size_t>(info.st_size);
  if (size_ != 0) {
    void *map = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) {
      int reason = errno;
      close(fd);
      failUsage("cannot read '{}': {}", path.string(), std::strerror(reason));
    }
    data_ = static_cast<const char *>(map);
  }
  close(fd);
}

MappedFile::~MappedFile() {
  if (data_)
    munmap(const_cast<char *>(data_), size_);
}

std::string readFile(const fs::path &path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    failUsage("'{}' is a folder; expected a file", path.string());
  if (!fs::is_fifo(status))
    return std::string(MappedFile(path).bytes());
  std::ifstream pipe(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(pipe), {}};
}

namespace {
bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t done = write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return true;
}
} // namespace

namespace {

[[noreturn]] void failWriting(const fs::path &path, int reason) {
  failUsage("cannot write '{}': {}", path.string(), std::strerror(reason));
}

/// A device or a pipe is written to, never replaced: root could rename a file over /dev/null.
void writeInPlace(const fs::path &path, std::string_view bytes) {
  int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    failWriting(path, errno);
  bool written = writeAll(fd, bytes);
  int reason = errno;
  if (close(fd) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (!written)
    failWriting(path, reason);
}

} // namespace

void writeFileAtomically(const fs::path &path, std::string_view bytes) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return writeInPlace(path, bytes);
  // A symbolic link stays one: the file that it names is replaced.
  fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  replaceFile(error ? path : target, target.string() + ".XXXXXX", bytes);
}

void replaceFile(const fs::path &path, std::string temporary, std::string_view bytes) {
  int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0)
    failWriting(path, errno);
  mode_t mask = umask(0);
  umask(mask);
  bool written = writeAll(fd, bytes) && fchmod(fd, 0666 & ~mask) == 0;
  int reason = errno;
  if (close(fd) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (written && rename(temporary.c_str(), path.c_str()) != 0) {
    written = false;
    reason = errno;
  }
  if (!written) {
    unlink(temporary.c_str());
    failWriting(path, reason);
  }
}

fs::path libexecFolder() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "libexec" / "culprit";
}

} // namespace culprit
