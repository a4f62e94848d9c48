// Records of system databases (users, hosts, services): libc's own functions for several threads
// fill in a record and a buffer of the caller's; the others have such a pair each, as in glibc.
#ifndef CULPRIT_EXTERNALS_MODELS_RECORD_SLOT_H
#define CULPRIT_EXTERNALS_MODELS_RECORD_SLOT_H

#include <errno.h>
#include <stdlib.h>

namespace culprit {

template <typename Record> class RecordSlot {
public:
  /// `read(record, buffer, size, result)` returns 0 or an error; for ERANGE it is called again with
  /// a larger buffer. Returns the record, or null for none.
  template <typename Read> Record *fill(const Read &read) {
    Record *result = nullptr;
    if (!buffer_ && !grow(1024))
      return nullptr;
    while (read(&record_, buffer_, size_, &result) == ERANGE)
      if (!grow(2 * size_))
        return nullptr;
    return result; // NOLINT(clang-analyzer-unix.Malloc): slots stay
  }

private:
  bool grow(size_t size) {
    free(buffer_);
    buffer_ = static_cast<char *>(malloc(size));
    size_ = size;
    return buffer_ != nullptr;
  }

  Record record_{};
  char *buffer_ = nullptr;
  size_t size_ = 0;
};

} // namespace culprit

/// Defines a function that returns a record by way of `name_r`.
#define CULPRIT_RECORD_FUNCTION(Record, name, parameters, ...)                                     \
  CULPRIT_EXTERNAL Record *name parameters {                                                       \
    static RecordSlot<Record> slot;                                                                \
    if (!CULPRIT_CALLED_BY_PROGRAM)                                                                \
      return CULPRIT_NEXT(name)(__VA_ARGS__);                                                      \
    return slot.fill([&](Record *record, char *buffer, size_t size, Record **result) {             \
      return name##_r(__VA_ARGS__ __VA_OPT__(, ) record, buffer, size, result);                    \
    });                                                                                            \
  }

#endif
