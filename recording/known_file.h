// What a recording knows of a file as it was when the recording began: from calls that found it
// there or not, from what was read, and from sizes that were asked for. Once the program itself has
// changed the file, it tells nothing more of how it was.
#ifndef CULPRIT_RECORDING_KNOWN_FILE_H
#define CULPRIT_RECORDING_KNOWN_FILE_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace culprit {

class KnownFile {
public:
  enum class Start { Unknown, Absent, Present };

  /// It was there, was not, or nobody can tell; the first to say so is believed.
  void found(Start start) {
    if (!isTouched_)
      start_ = start;
    isTouched_ = true;
  }
  /// The program has changed it. `isAppended`: bytes were added behind its end, and that was all.
  void changed(bool isAppended) {
    isOverwritten_ |= !isAppended;
    isChanged_ = true;
  }
  void sawSize(uint64_t size) {
    if (!isChanged_ && !size_)
      size_ = size;
  }
  void sawMode(uint32_t mode) { mode_ = mode; }
  void sawBytes(uint64_t at, std::string_view bytes);
  /// All of it, under the number that its copy has.
  void sawCopy(int64_t kept) {
    if (!isChanged_)
      kept_ = kept;
  }
  void used(uint64_t event) { lastUse_ = event; }

  Start start() const { return start_; }
  uint64_t lastUse() const { return lastUse_; }
  uint32_t mode() const { return mode_; }
  std::optional<uint64_t> size() const { return size_; }
  int64_t copy() const { return kept_; }
  bool wasAppendedOnly() const { return isChanged_ && !isOverwritten_; }
  bool wasChanged() const { return isChanged_; }
  /// Whether all of its bytes were read.
  bool isWhole() const;
  std::string_view bytes() const { return bytes_; }
  /// Where the bytes were read: begin to end, of stretches that do not touch.
  const std::map<uint64_t, uint64_t> &stretches() const { return stretches_; }

private:
  static constexpr uint64_t kMost = 1 << 30; ///< a seek may lead anywhere

  Start start_ = Start::Unknown;
  bool isTouched_ = false;
  bool isChanged_ = false;
  bool isOverwritten_ = false;
  uint32_t mode_ = 0644;
  uint64_t lastUse_ = 0;
  std::optional<uint64_t> size_;
  int64_t kept_ = -1;
  std::string bytes_;
  std::map<uint64_t, uint64_t> stretches_;
};

} // namespace culprit
#endif
