// Streams as sinks of formatTo, as glibc has them: a stream sees each piece of the formatted text
// by itself and as soon as it is made; an unbuffered one gets as much at a time as fits in a buffer
// that is there for the call.
#ifndef CULPRIT_EXTERNALS_SHIMS_STREAM_SINK_H
#define CULPRIT_EXTERNALS_SHIMS_STREAM_SINK_H

#include "externals/shims/format.h"
#include "externals/shims/stream.h"

namespace culprit {

inline bool putUnits(Stream &stream, const char *bytes, size_t count) {
  auto room = stream._IO_write_end - stream._IO_write_ptr;
  if (room < static_cast<ptrdiff_t>(count))
    return streamWrite(stream, bytes, count) == count;
  constexpr size_t kShort = 16; // most pieces are: they cost no call
  if (count > kShort)
    memcpy(stream._IO_write_ptr, bytes, count);
  else
    for (size_t i = 0; i < count; ++i)
      stream._IO_write_ptr[i] = bytes[i];
  stream._IO_write_ptr += count;
  return true;
}

inline bool putUnits(Stream &stream, const wchar_t *characters, size_t count) {
  return putWideText(stream, characters, count);
}

template <typename Unit> struct StreamSink : BasicSink<Unit> {
  explicit StreamSink(Stream &to) : BasicSink<Unit>{nullptr, nullptr, take}, stream(to) {}

  static bool take(BasicSink<Unit> &sink, const Unit *units, size_t count) {
    return putUnits(static_cast<StreamSink &>(sink).stream, units, count);
  }

  Stream &stream;
};

template <typename Unit> struct UnbufferedSink : BasicSink<Unit> {
  explicit UnbufferedSink(Stream &to)
      : BasicSink<Unit>{buffer, buffer + kRoom, fillAndEmpty}, stream(to) {}

  static bool fillAndEmpty(BasicSink<Unit> &base, const Unit *units, size_t count) {
    auto &sink = static_cast<UnbufferedSink &>(base);
    while (true) {
      size_t room = sink.end - sink.next;
      size_t some = room < count ? room : count;
      memcpy(sink.next, units, some * sizeof(Unit));
      sink.next += some;
      units += some;
      count -= some;
      if (count == 0)
        return true;
      if (!sink.empty())
        return false;
    }
  }

  bool empty() {
    size_t count = this->next - buffer;
    this->next = buffer;
    return count == 0 || putUnits(stream, buffer, count);
  }

  static constexpr size_t kRoom = 8192;
  Stream &stream;
  Unit buffer[kRoom];
};

/// In a function of its own: builds with origins clear those of its buffer whenever it is entered.
template <typename Unit>
__attribute__((noinline)) int formatUnbuffered(Stream &stream, const Unit *format,
                                               va_list arguments, bool isFortified) {
  UnbufferedSink<Unit> sink(stream);
  int result = formatTo(sink, format, arguments, isFortified);
  return sink.empty() ? result : -1;
}

/// printf to a stream that is locked, and that the program may write such characters to.
template <typename Unit>
int formatToStream(Stream &stream, const Unit *format, va_list arguments, bool isFortified) {
  if (stream._flags & kUnbuffered)
    return formatUnbuffered(stream, format, arguments, isFortified);
  StreamSink<Unit> sink(stream);
  return formatTo(sink, format, arguments, isFortified);
}

} // namespace culprit
#endif
