// What formatting puts into a sink, counted.
//
// Every function is false when formatting has to end with -1. Counts are ints, as printf's result;
// a piece that makes them overflow has been written when that is noticed, as in glibc.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_OUTPUT_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_OUTPUT_H

#include "externals/shims/format.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

namespace culprit {

template <typename Unit> class Output {
public:
  explicit Output(BasicSink<Unit> &sink) : sink_(sink) {}

  int count() const { return count_; }

  /// A run of format text or a converted value.
  bool put(const Unit *units, size_t length) {
    return length == 0 || (store(units, length) && add(length));
  }

  /// A single character; an overflow of the count leaves errno alone.
  bool putOne(Unit unit) {
    if (!store(&unit, 1) || count_ == INT_MAX)
      return false;
    ++count_;
    return true;
  }

  /// Nothing when `length` is negative.
  bool pad(Unit unit, int length) {
    return length <= 0 || (fill(unit, static_cast<size_t>(length)) && add(length));
  }

private:
  bool add(size_t length) {
    if (length > static_cast<size_t>(INT_MAX - count_)) {
      errno = EOVERFLOW;
      return false;
    }
    count_ += static_cast<int>(length);
    return true;
  }

  bool store(const Unit *units, size_t length) {
    if (length > static_cast<size_t>(sink_.end - sink_.next))
      return sink_.write(sink_, units, length);
    copy(sink_.next, units, length);
    sink_.next += length;
    return true;
  }

  /// Short pieces are most pieces: they cost no call.
  static void copy(Unit *to, const Unit *from, size_t length) {
    if (length > kShort)
      memcpy(to, from, length * sizeof(Unit));
    else
      for (size_t i = 0; i < length; ++i)
        to[i] = from[i]; // NOLINT(clang-analyzer-core.uninitialized.Assign)
  }

  bool fill(Unit unit, size_t length) {
    if (length <= static_cast<size_t>(sink_.end - sink_.next)) {
      for (size_t i = 0; i < length; ++i)
        sink_.next[i] = unit;
      sink_.next += length;
      return true;
    }
    Unit piece[kPiece];
    for (Unit &each : piece)
      each = unit;
    for (; length > kPiece; length -= kPiece)
      if (!store(piece, kPiece))
        return false;
    return store(piece, length);
  }

  static constexpr size_t kShort = 16;
  static constexpr size_t kPiece = 16; ///< as in glibc: a stream sees each

  BasicSink<Unit> &sink_;
  int count_ = 0;
};

} // namespace culprit
#endif
