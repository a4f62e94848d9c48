// See format_fortify.h: /proc/self/maps, read by bytes, so that nothing is allocated.
#include "externals/shims/format_fortify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

namespace culprit {
namespace {

class Maps {
public:
  Maps() : file_(open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {}
  ~Maps() {
    if (file_ >= 0)
      close(file_);
  }
  Maps(const Maps &) = delete;
  Maps &operator=(const Maps &) = delete;

  bool isOpen() const { return file_ >= 0; }

  /// The next line's range, and whether it can be read and not written.
  bool next(uintptr_t &from, uintptr_t &to, bool &isReadOnly) {
    if (!hexNumber(from, '-') || !hexNumber(to, ' '))
      return false;
    bool isReadable = byte() == 'r';
    isReadOnly = byte() == '-' && isReadable;
    for (int each = byte(); each != '\n'; each = byte())
      if (each < 0)
        return false;
    return true;
  }

private:
  int byte() {
    if (next_ == end_) {
      ssize_t count = read(file_, buffer_, sizeof buffer_);
      if (count <= 0)
        return -1;
      next_ = 0;
      end_ = count;
    }
    return static_cast<unsigned char>(buffer_[next_++]);
  }

  /// A number of small letters, and the byte behind it.
  bool hexNumber(uintptr_t &number, int behind) {
    number = 0;
    int each = byte();
    for (; (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f'); each = byte())
      number = number * 16 + (each <= '9' ? each - '0' : each - 'a' + 10);
    return each == behind;
  }

  int file_;
  size_t next_ = 0;
  size_t end_ = 0;
  char buffer_[1024];
};

} // namespace

bool isReadOnlyMemory(const void *start, size_t size) {
  Maps maps;
  if (!maps.isOpen())
    return errno == ENOENT || errno == EACCES;
  uintptr_t next = reinterpret_cast<uintptr_t>(start);
  uintptr_t end = next + size;
  uintptr_t from;
  uintptr_t to;
  bool isReadOnly;
  while (next < end && maps.next(from, to, isReadOnly)) {
    if (to <= next)
      continue;
    if (from > next || !isReadOnly)
      return false;
    next = to;
  }
  return next >= end;
}

} // namespace culprit
