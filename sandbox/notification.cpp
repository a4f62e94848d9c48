// See notification.h.
#include "sandbox/notification.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

namespace culprit {
namespace {

constexpr size_t kMostPath = 4096;
constexpr size_t kPage = 4096;

} // namespace

std::optional<Notification> Notification::receive(int listener) {
  Notification call;
  call.listener_ = listener;
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call.notice_) != 0)
    return std::nullopt;
  return call;
}

bool Notification::read(uint64_t address, void *bytes, size_t size) const {
  iovec local{bytes, size};
  iovec remote{reinterpret_cast<void *>(address), size};
  return process_vm_readv(thread(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size) &&
         isValid();
}

bool Notification::write(uint64_t address, const void *bytes, size_t size) const {
  iovec local{const_cast<void *>(bytes), size};
  iovec remote{reinterpret_cast<void *>(address), size};
  return isValid() &&
         process_vm_writev(thread(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

std::optional<std::string> Notification::text(uint64_t address) const {
  std::string text;
  char buffer[kPage];
  while (text.size() < kMostPath) {
    size_t part = kPage - address % kPage; // the next page may not be there
    if (!read(address, buffer, part))
      return std::nullopt;
    char *end = std::find(buffer, buffer + part, '\0');
    text.append(buffer, end);
    if (end != buffer + part)
      return text.size() < kMostPath ? std::optional(text) : std::nullopt;
    address += part;
  }
  return std::nullopt;
}

bool Notification::isValid() const {
  uint64_t id = notice_.id;
  return ioctl(listener_, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void Notification::respond(int64_t value, int error, uint32_t flags) const {
  seccomp_notif_resp answer = {};
  answer.id = notice_.id;
  answer.val = value;
  answer.error = -error;
  answer.flags = flags;
  ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

void Notification::goOn() const {
  respond(0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

void Notification::fail(int error) const {
  respond(0, error, 0);
}

void Notification::succeed(int64_t value) const {
  respond(value, 0, 0);
}

void Notification::give(int fd, bool closeOnExec) const {
  seccomp_notif_addfd addition = {};
  addition.id = notice_.id;
  addition.srcfd = static_cast<uint32_t>(fd);
  addition.newfd_flags = closeOnExec ? O_CLOEXEC : 0;
  int given = ioctl(listener_, SECCOMP_IOCTL_NOTIF_ADDFD, &addition);
  if (given < 0)
    fail(errno);
  else
    succeed(given);
}

} // namespace culprit
