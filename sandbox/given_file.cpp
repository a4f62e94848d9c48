// See given_file.h.
#include "sandbox/given_file.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>

namespace culprit {
namespace {

bool isSame(const termios &one, const termios &other) {
  return one.c_iflag == other.c_iflag && one.c_oflag == other.c_oflag &&
         one.c_cflag == other.c_cflag && one.c_lflag == other.c_lflag &&
         std::memcmp(one.c_cc, other.c_cc, sizeof one.c_cc) == 0;
}

} // namespace

GivenFile::GivenFile(int fd) : fd_(fd), flags_(fcntl(fd, F_GETFL)) {
  isTerminal_ = tcgetattr(fd, &modes_) == 0;
  hasSize_ = isTerminal_ && ioctl(fd, TIOCGWINSZ, &size_) == 0;
  if (!isTerminal_ || ioctl(fd, TIOCGEXCL, &isExclusive_) != 0)
    isExclusive_ = 0;
}

void GivenFile::setBack() const {
  if (flags_ >= 0 && fcntl(fd_, F_GETFL) != flags_)
    fcntl(fd_, F_SETFL, flags_);
  termios modes = {};
  winsize size = {};
  if (!isTerminal_ || tcgetattr(fd_, &modes) != 0)
    return;
  sigset_t background; // who is not in the foreground would be stopped
  sigset_t before;
  sigemptyset(&background);
  sigaddset(&background, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &background, &before);
  if (!isSame(modes, modes_))
    tcsetattr(fd_, TCSANOW, &modes_);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (hasSize_ && ioctl(fd_, TIOCGWINSZ, &size) == 0 &&
      std::memcmp(&size, &size_, sizeof size) != 0)
    ioctl(fd_, TIOCSWINSZ, &size_);
  if (isExclusive_ == 0)
    ioctl(fd_, TIOCNXCL);
}

} // namespace culprit
