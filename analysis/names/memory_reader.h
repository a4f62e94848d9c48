// Reads the memory of the analysed process: of a stopped one, of a core, of a recording.
#ifndef CULPRIT_ANALYSIS_NAMES_MEMORY_READER_H
#define CULPRIT_ANALYSIS_NAMES_MEMORY_READER_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace culprit {

/// Whether memory can be there: the upper bits of an address are all alike.
constexpr bool isPossibleAddress(uint64_t address) {
  return static_cast<int64_t>(address << 16) >> 16 == static_cast<int64_t>(address);
}

class MemoryReader {
public:
  virtual ~MemoryReader() = default;
  /// False when not all of it can be read.
  virtual bool read(uint64_t address, void *bytes, size_t size) const = 0;

  std::optional<uint64_t> word(uint64_t address) const {
    uint64_t value = 0;
    if (!read(address, &value, sizeof value))
      return std::nullopt;
    return value;
  }
};

} // namespace culprit
#endif
