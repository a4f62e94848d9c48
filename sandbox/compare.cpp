// See compare.h.
#include "sandbox/compare.h"

#include "sandbox/unique_fd.h"

#include <cstring>
#include <fcntl.h>
#include <vector>

namespace culprit {
namespace {

constexpr size_t kPart = 1 << 18;

std::string linkIn(int folder, const std::string &name) {
  char text[4096];
  ssize_t length = readlinkat(folder, name.c_str(), text, sizeof text);
  return std::string(text, length > 0 ? static_cast<size_t>(length) : 0);
}

} // namespace

bool isSameData(int a, int b) {
  std::vector<char> first(kPart);
  std::vector<char> second(kPart);
  for (off_t at = 0;;) {
    ssize_t got = pread(a, first.data(), kPart, at);
    if (got < 0 || pread(b, second.data(), kPart, at) != got ||
        std::memcmp(first.data(), second.data(), static_cast<size_t>(got)) != 0)
      return false;
    if (got == 0)
      return true;
    at += got;
  }
}

bool hasSameContents(int folder, const std::string &name, const std::string &outside,
                     const struct stat &now, const struct stat &before) {
  if (S_ISLNK(now.st_mode))
    return linkIn(folder, name) == linkIn(AT_FDCWD, outside);
  if (!S_ISREG(now.st_mode))
    return true;
  UniqueFd old(open(outside.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!old.isOpen())
    return true;
  UniqueFd file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  return now.st_size == before.st_size && isSameData(file.get(), old.get());
}

bool hasSameAttributes(const struct stat &now, const struct stat &before) {
  bool isTouched = !S_ISDIR(now.st_mode) && (now.st_mtim.tv_sec != before.st_mtim.tv_sec ||
                                             now.st_mtim.tv_nsec != before.st_mtim.tv_nsec);
  return now.st_mode == before.st_mode && now.st_uid == before.st_uid &&
         now.st_gid == before.st_gid && !isTouched;
}

} // namespace culprit
