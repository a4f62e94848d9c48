// The characters of a number that is scanned, until it is converted.
#ifndef CULPRIT_EXTERNALS_SHIMS_SCAN_TEXT_H
#define CULPRIT_EXTERNALS_SHIMS_SCAN_TEXT_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

namespace culprit {

template <typename Unit> class ScanText {
public:
  ScanText() = default;
  ~ScanText() {
    if (block_)
      free(block_);
  }
  ScanText(const ScanText &) = delete;
  ScanText &operator=(const ScanText &) = delete;

  void add(Unit unit) {
    if (length_ == room_ && !grow())
      return;
    units_[length_++] = unit;
  }
  void drop(size_t count) { length_ -= count; }

  /// Whether something was lost for want of memory.
  bool isBroken() const { return isBroken_; }
  size_t size() const { return length_; }
  Unit last() const { return units_[length_ - 1]; }
  Unit operator[](size_t index) const { return units_[index]; }
  const Unit *units() const { return units_; }

private:
  bool grow() {
    Unit *larger = static_cast<Unit *>(realloc(block_, 2 * room_ * sizeof(Unit)));
    isBroken_ |= !larger;
    if (!larger)
      return false;
    if (!block_)
      memcpy(larger, few_, sizeof few_);
    block_ = units_ = larger;
    room_ *= 2;
    return true;
  }

  static constexpr size_t kFew = 256;
  Unit few_[kFew];
  Unit *units_ = few_;
  Unit *block_ = nullptr;
  size_t room_ = kFew;
  size_t length_ = 0;
  bool isBroken_ = false;
};

} // namespace culprit
#endif
