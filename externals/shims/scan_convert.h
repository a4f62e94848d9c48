// The conversions of scanf, one function for each kind. White space has been skipped.
#ifndef CULPRIT_EXTERNALS_SHIMS_SCAN_CONVERT_H
#define CULPRIT_EXTERNALS_SHIMS_SCAN_CONVERT_H

#include "externals/shims/scan_input.h"
#include "externals/shims/scan_spec.h"

namespace culprit {

/// d i o u x X p
template <typename Unit>
ScanStep scanInteger(ScanInput<Unit> &input, ScanSpec spec, ScanArguments &arguments);

/// e E f F g G a A
template <typename Unit>
ScanStep scanFloat(ScanInput<Unit> &input, ScanSpec spec, ScanArguments &arguments);

/// The strings that were allocated so far: all are freed when scanning ends with EOF.
class ScanBlocks {
public:
  ScanBlocks() = default;
  ~ScanBlocks();
  ScanBlocks(const ScanBlocks &) = delete;
  ScanBlocks &operator=(const ScanBlocks &) = delete;

  /// A string that is being scanned is at `*slot`.
  bool open(void **slot);
  /// It is complete.
  void close() { isOpen_ = false; }
  /// Frees the one that is not complete, or all of them.
  void release(bool all);

private:
  struct Slot {
    void **place;
  };
  static constexpr size_t kFew = 16;
  Slot few_[kFew];
  Slot *slots_ = few_;
  Slot *block_ = nullptr;
  size_t room_ = kFew;
  size_t count_ = 0;
  bool isOpen_ = false;
};

/// c C s S, and [ with `cursor` behind it, which is left behind the set's end.
template <typename Unit>
ScanStep scanString(ScanInput<Unit> &input, ScanSpec spec, const Unit *&cursor,
                    ScanArguments &arguments, ScanBlocks &blocks);

} // namespace culprit
#endif
