// What calls like stat() have told a recorded program of a file.
#ifndef CULPRIT_RECORDING_FILE_FACTS_H
#define CULPRIT_RECORDING_FILE_FACTS_H

#include "recording/event_walk.h"

#include <optional>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace culprit {

struct FileFacts {
  uint64_t size = 0;
  uint32_t mode = 0;
};

/// Nothing: the call is none of them.
inline std::optional<FileFacts> factsIn(const WalkedCall &walked) {
  switch (walked.call.number) {
  case SYS_statx: {
    struct statx facts;
    if (walked.bytes.size() < sizeof facts)
      return std::nullopt;
    std::memcpy(&facts, walked.bytes.data(), sizeof facts);
    return FileFacts{facts.stx_size, facts.stx_mode};
  }
  case SYS_stat:
  case SYS_lstat:
  case SYS_fstat:
  case SYS_newfstatat: {
    struct stat facts;
    if (walked.bytes.size() < sizeof facts)
      return std::nullopt;
    std::memcpy(&facts, walked.bytes.data(), sizeof facts);
    return FileFacts{static_cast<uint64_t>(facts.st_size), facts.st_mode};
  }
  default:
    return std::nullopt;
  }
}

} // namespace culprit
#endif
