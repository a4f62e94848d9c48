// See channel.h.
#include "sandbox/channel.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace culprit {
namespace {

constexpr size_t kMostText = 4096;
constexpr size_t kMostDescriptors = 8;

} // namespace

ChannelEnds makeChannel() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    failUsage("cannot make a channel to the sandbox: {}", std::strerror(errno));
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

bool sendMessage(int end, Message::Tag tag, const std::string &text,
                 const std::vector<int> &descriptors) {
  std::string bytes(1, static_cast<char>(tag));
  bytes += text.substr(0, kMostText - 1);
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostDescriptors)] = {};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
    cmsghdr *rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    std::memcpy(CMSG_DATA(rights), descriptors.data(), sizeof(int) * descriptors.size());
  }
  ssize_t sent = 0;
  do
    sent = sendmsg(end, &header, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

std::optional<Message> receiveMessage(int end) {
  char bytes[kMostText];
  iovec part{bytes, sizeof bytes};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostDescriptors)];
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t got = 0;
  do
    got = recvmsg(end, &header, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got <= 0)
    return std::nullopt;
  Message message{static_cast<Message::Tag>(bytes[0]), std::string(bytes + 1, bytes + got), {}};
  for (cmsghdr *item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS)
      continue;
    size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(item) + i * sizeof fd, sizeof fd);
      message.descriptors.emplace_back(fd);
    }
  }
  return message;
}

} // namespace culprit
