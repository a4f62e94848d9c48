// See foreign_view.h. libc's file is one over functions of ours; it reads byte by byte, so that
// what it has read and not used is at most what it pushed back.
#include "externals/shims/foreign_view.h"

#include "externals/external.h"

namespace culprit {
namespace {

ssize_t readByte(void *cookie, char *bytes, size_t) {
  auto &stream = *static_cast<Stream *>(cookie);
  if (streamPeek(stream) == EOF)
    return (stream._flags & kErrorSeen) ? -1 : 0;
  bytes[0] = *stream._IO_read_ptr++;
  return 1;
}

ssize_t writeBytes(void *cookie, const char *bytes, size_t count) {
  size_t written = streamWrite(*static_cast<Stream *>(cookie), bytes, count);
  return written == count ? static_cast<ssize_t>(count) : 0;
}

/// Functions that read records ask where they are, to come back with a larger buffer.
int seekBytes(void *cookie, off64_t *offset, int whence) {
  auto &stream = *static_cast<Stream *>(cookie);
  bool onlyAsks = *offset == 0 && whence == SEEK_CUR;
  *offset = onlyAsks ? streamTell(stream) : streamSeek(stream, *offset, whence);
  return *offset == -1 ? -1 : 0;
}

} // namespace

ForeignView::ForeignView(Stream &stream, const char *mode) : stream_(stream) {
  cookie_io_functions_t functions = {readByte, writeBytes, seekBytes, nullptr};
  file_ = CULPRIT_NEXT(fopencookie)(&stream, mode, functions);
  if (file_ && *mode == 'r')
    CULPRIT_NEXT(setvbuf)(file_, nullptr, _IONBF, 0);
}

ForeignView::~ForeignView() {
  if (!file_)
    return;
  while (file_->_IO_read_end > file_->_IO_read_ptr)
    streamUnget(stream_, *--file_->_IO_read_end);
  CULPRIT_NEXT(fclose)(file_);
}

} // namespace culprit
