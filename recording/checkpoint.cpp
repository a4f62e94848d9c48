// See checkpoint.h.
#include "recording/checkpoint.h"

#include "abi/memory_map.h"
#include "recording/log.h"
#include "support/mappings.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;

/// What belongs to the program: what is shared is the host's, and what lies above the fence is the
/// kernel's choice and differs in every run.
bool isOfProgram(const Mapping &mapping) {
  return mapping.isPrivate() && mapping.begin < abi::kFence && !mapping.name.starts_with("[v");
}

uint64_t protectionOf(const Mapping &mapping) {
  auto flag = [&](char right, uint64_t value) {
    return mapping.rights.find(right) == std::string::npos ? 0 : value;
  };
  return flag('r', PROT_READ) | flag('w', PROT_WRITE) | flag('x', PROT_EXEC);
}

class Reader {
public:
  explicit Reader(uint64_t process)
      : process_(process),
        memory_(open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC)),
        pages_(open(fmt::format("/proc/{}/pagemap", process).c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Reader() {
    close(memory_);
    close(pages_);
  }
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  std::optional<std::string> read(abi::Checkpoint checkpoint) {
    if (memory_ < 0 || pages_ < 0)
      return std::nullopt;
    std::string mappings;
    checkpoint.mappingCount = 0;
    for (const Mapping &mapping : mappingsOf(static_cast<pid_t>(process_))) {
      if (isOfProgram(mapping) && add(mapping, mappings))
        ++checkpoint.mappingCount;
      if (mappings.size() >= kMostChunk)
        return std::nullopt;
    }
    if (checkpoint.mappingCount == 0)
      return std::nullopt;
    return std::string(reinterpret_cast<const char *>(&checkpoint), sizeof checkpoint) + mappings;
  }

private:
  bool add(const Mapping &mapping, std::string &out) {
    // What is the executable's is there in a replay, except what was written to since.
    bool isOwn = mapping.begin < abi::kExecutableLimit;
    abi::CheckpointMapping head{mapping.begin, mapping.end - mapping.begin, protectionOf(mapping),
                                0};
    size_t start = out.size();
    out.append(reinterpret_cast<const char *>(&head), sizeof head);
    constexpr uint64_t kStep = 512; ///< pages
    std::vector<uint64_t> states(kStep);
    for (uint64_t at = mapping.begin; at < mapping.end; at += kStep * kPage) {
      uint64_t count = std::min(kStep, (mapping.end - at) / kPage);
      auto place = static_cast<off_t>(at / kPage * sizeof(uint64_t));
      if (pread(pages_, states.data(), count * sizeof(uint64_t), place) !=
          static_cast<ssize_t>(count * sizeof(uint64_t)))
        std::fill(states.begin(), states.end(), ~uint64_t{0});
      for (uint64_t i = 0; i < count; ++i)
        if (isWanted(states[i], mapping.isFile, isOwn) && addPage(at + i * kPage, isOwn, out))
          ++head.stretches;
    }
    std::memcpy(out.data() + start, &head, sizeof head);
    if (isOwn && head.stretches == 0)
      out.resize(start);
    return out.size() != start;
  }

  static bool isWanted(uint64_t state, bool isFile, bool isOwn) {
    constexpr uint64_t kPresent = uint64_t{3} << 62; ///< or swapped out
    constexpr uint64_t kOfFile = uint64_t{1} << 61;
    if (isOwn)
      return (state & kPresent) != 0 && (state & kOfFile) == 0;
    return isFile || (state & kPresent) != 0;
  }

  bool addPage(uint64_t place, bool isZeroWanted, std::string &out) {
    char page[kPage];
    // Behind the end of a mapped file there is nothing.
    if (pread(memory_, page, kPage, static_cast<off_t>(place)) != static_cast<ssize_t>(kPage))
      return false;
    bool isZero = std::all_of(page, page + kPage, [](char byte) { return byte == 0; });
    if (isZero && !isZeroWanted)
      return false;
    abi::WrittenBytes stretch{place, kPage};
    out.append(reinterpret_cast<const char *>(&stretch), sizeof stretch);
    out.append(page, kPage);
    return true;
  }

  uint64_t process_;
  int memory_;
  int pages_;
};

} // namespace

std::optional<std::string> takeCheckpoint(const abi::Checkpoint &checkpoint) {
  if (checkpoint.process == 0)
    return std::nullopt;
  auto process = static_cast<pid_t>(checkpoint.process);
  std::optional<std::string> bytes = Reader(checkpoint.process).read(checkpoint);
  kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR)
    ;
  return bytes;
}

bool isCheckpoint(std::string_view bytes) {
  auto take = [&](auto &value) {
    bool isThere = bytes.size() >= sizeof value;
    if (isThere) {
      std::copy_n(bytes.begin(), sizeof value, reinterpret_cast<char *>(&value));
      bytes.remove_prefix(sizeof value);
    }
    return isThere;
  };
  abi::Checkpoint checkpoint;
  if (!take(checkpoint))
    return false;
  for (; checkpoint.mappingCount > 0; --checkpoint.mappingCount) {
    abi::CheckpointMapping mapping;
    if (!take(mapping))
      return false;
    for (; mapping.stretches > 0; --mapping.stretches) {
      abi::WrittenBytes stretch;
      if (!take(stretch) || stretch.size > bytes.size() || stretch.address < mapping.begin ||
          stretch.size > mapping.size ||
          stretch.address - mapping.begin > mapping.size - stretch.size)
        return false;
      bytes.remove_prefix(stretch.size);
    }
  }
  return bytes.empty();
}

} // namespace culprit
