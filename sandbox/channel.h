// Messages between the host and the processes that become the sandbox: a tag, text and descriptors.
// Both ends are gone once the program is executed.
#ifndef CULPRIT_SANDBOX_CHANNEL_H
#define CULPRIT_SANDBOX_CHANNEL_H

#include "sandbox/unique_fd.h"

#include <optional>
#include <string>
#include <vector>

namespace culprit {

struct Message {
  enum class Tag : char {
    Unshared = 'u', ///< the process has a user namespace that wants its numbers mapped
    Mapped = 'm',   ///< the host's answer
    Places = 'p',   ///< descriptors: the overlays' memory, /proc of the sandbox
    First = '1',    ///< text: the number of the sandbox's first process
    Program = '2',  ///< text: the number of the program
    Listener = 'l', ///< descriptor: where the program's system calls are notified
    Refused = 'r',  ///< text: what this machine does not allow
    Failed = 'f',   ///< text: why the program cannot be run
  };
  Tag tag;
  std::string text;
  std::vector<UniqueFd> descriptors;
};

/// A pair of connected ends.
struct ChannelEnds {
  UniqueFd host;
  UniqueFd child;
};
ChannelEnds makeChannel();

/// False when it cannot be sent.
bool sendMessage(int end, Message::Tag tag, const std::string &text = "",
                 const std::vector<int> &descriptors = {});

/// Nothing when the other end is gone.
std::optional<Message> receiveMessage(int end);

} // namespace culprit
#endif
