// One system call of the sandbox that waits for the host's answer.
//
// Numbers in registers cannot change under the host's eyes, memory can: a call whose arguments are
// in memory may only go on if it does no harm whatever they say then.
#ifndef CULPRIT_SANDBOX_NOTIFICATION_H
#define CULPRIT_SANDBOX_NOTIFICATION_H

#include <cstdint>
#include <linux/seccomp.h>
#include <optional>
#include <string>

namespace culprit {

class Notification {
public:
  /// Takes the next one from a listener; nothing if the caller has gone in the meantime.
  static std::optional<Notification> receive(int listener);

  int call() const { return notice_.data.nr; }
  uint64_t argument(unsigned index) const { return notice_.data.args[index]; }
  int intArgument(unsigned index) const { return static_cast<int>(notice_.data.args[index]); }
  pid_t thread() const { return static_cast<pid_t>(notice_.pid); } ///< by the host's numbers

  /// Text of the caller's memory up to the zero; nothing when it cannot be read or has no end.
  std::optional<std::string> text(uint64_t address) const;
  bool read(uint64_t address, void *bytes, size_t size) const;
  bool write(uint64_t address, const void *bytes, size_t size) const;
  /// Whether the caller still waits: what was read before is then really its own.
  bool isValid() const;

  /// The answers: exactly one of them is given.
  void goOn() const;
  void fail(int error) const;
  void succeed(int64_t value) const;
  /// The result is a new descriptor of the caller's.
  void give(int fd, bool closeOnExec) const;

private:
  void respond(int64_t value, int error, uint32_t flags) const;

  int listener_ = -1;
  seccomp_notif notice_ = {};
};

} // namespace culprit
#endif
