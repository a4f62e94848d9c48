// A terminal or device that the sandboxed program is given as it is.
//
// Its settings belong to whoever has it open: of a terminal its modes, size and exclusive use, of
// both the flags of the open file. They are set back when the program has ended.
#ifndef CULPRIT_SANDBOX_GIVEN_FILE_H
#define CULPRIT_SANDBOX_GIVEN_FILE_H

#include <sys/ioctl.h>
#include <termios.h>

namespace culprit {

class GivenFile {
public:
  explicit GivenFile(int fd);
  void setBack() const;

private:
  int fd_;
  int flags_;
  bool isTerminal_ = false;
  bool hasSize_ = false;
  int isExclusive_ = 0;
  termios modes_ = {};
  winsize size_ = {};
};

} // namespace culprit
#endif
