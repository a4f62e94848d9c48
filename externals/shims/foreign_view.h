// A stream of ours as libc's functions can use it, for the length of one call.
#ifndef CULPRIT_EXTERNALS_SHIMS_FOREIGN_VIEW_H
#define CULPRIT_EXTERNALS_SHIMS_FOREIGN_VIEW_H

#include "externals/shims/stream.h"

namespace culprit {

class ForeignView {
public:
  /// `mode`: "r" or "w".
  ForeignView(Stream &stream, const char *mode);
  /// Brings the stream to where libc has come.
  ~ForeignView();
  ForeignView(const ForeignView &) = delete;
  ForeignView &operator=(const ForeignView &) = delete;

  /// Null without memory.
  FILE *file() { return file_; }

private:
  Stream &stream_;
  FILE *file_;
};

} // namespace culprit
#endif
