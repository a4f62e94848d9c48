// The memory of a program that has failed, from the copy of itself that it left (see
// runtime/snapshot.h). The copy lives as long as this.
#ifndef CULPRIT_CLI_SNAPSHOT_H
#define CULPRIT_CLI_SNAPSHOT_H

#include "abi/failure.h"
#include "analysis/names/memory_reader.h"

#include <array>
#include <optional>
#include <sys/types.h>
#include <unordered_map>

namespace culprit {

class Snapshot : public MemoryReader {
public:
  /// The program must have ended.
  explicit Snapshot(const abi::FailureRecord &record);
  ~Snapshot() override;
  Snapshot(const Snapshot &) = delete;
  Snapshot &operator=(const Snapshot &) = delete;

  /// Null when there is nothing to read.
  const MemoryReader *reader() const { return memory_ < 0 ? nullptr : this; }
  bool read(uint64_t address, void *bytes, size_t size) const override;

private:
  static constexpr uint64_t kPage = 4096;
  using Page = std::optional<std::array<char, kPage>>; ///< nothing: cannot be read

  const Page &pageAt(uint64_t address) const;

  pid_t process_ = 0;
  int memory_ = -1;
  mutable std::unordered_map<uint64_t, Page> pages_; ///< those that were read so far
};

} // namespace culprit
#endif
