// See format_memory.h: sinks that are memory.
#include "externals/shims/format_memory.h"

#include "externals/shims/format.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern "C" [[noreturn]] void __chk_fail(); // NOLINT(bugprone-reserved-identifier)

namespace culprit {
namespace {

/// `size` units behind `start`, or more than there can be.
template <typename Unit> Unit *endOf(Unit *start, size_t size) {
  constexpr size_t kMost = PTRDIFF_MAX / sizeof(Unit);
  return start + (size < kMost ? size : kMost);
}

/// Takes what fits and lets go of the rest.
template <typename Unit> struct BoundedSink : BasicSink<Unit> {
  BoundedSink(Unit *buffer, size_t size) : BasicSink<Unit>{buffer, endOf(buffer, size), takeSome} {}

  static bool takeSome(BasicSink<Unit> &base, const Unit *units, size_t) {
    auto &sink = static_cast<BoundedSink &>(base);
    size_t room = sink.end - sink.next;
    memcpy(sink.next, units, room * sizeof(Unit));
    sink.next = sink.end;
    sink.isFull = true;
    return true;
  }

  bool isFull = false;
};

/// Takes what fits; the program dies of the rest.
struct CheckedSink : Sink {
  CheckedSink(char *buffer, size_t size) : Sink{buffer, endOf(buffer, size), die} {}

  static bool die(Sink &, const char *, size_t) { __chk_fail(); }
};

/// A buffer, and a heap block that grows once that is full.
struct GrowingSink : Sink {
  GrowingSink() : Sink{buffer, buffer + sizeof buffer, grow} {}
  ~GrowingSink() { free(block); }
  GrowingSink(const GrowingSink &) = delete;
  GrowingSink &operator=(const GrowingSink &) = delete;

  const char *start() const { return block ? block : buffer; }
  size_t length() const { return next - start(); }

  static bool grow(Sink &base, const char *bytes, size_t count) {
    auto &sink = static_cast<GrowingSink &>(base);
    size_t used = sink.length();
    size_t size = 2 * used + count;
    char *larger = static_cast<char *>(realloc(sink.block, size));
    if (!larger)
      return false;
    if (!sink.block)
      memcpy(larger, sink.buffer, used);
    memcpy(larger + used, bytes, count);
    sink.block = larger;
    sink.next = larger + used + count;
    sink.end = larger + size;
    return true;
  }

  char *block = nullptr;
  char buffer[512];
};

} // namespace

int formatBounded(char *buffer, size_t size, const char *format, va_list arguments,
                  bool isFortified) {
  char nothing;
  if (size == 0) {
    buffer = &nothing;
    size = 1;
  }
  *buffer = 0;
  BoundedSink<char> sink(buffer, size - 1);
  int count = formatTo(sink, format, arguments, isFortified);
  *sink.next = 0;
  return count;
}

int formatUnbounded(char *buffer, const char *format, va_list arguments) {
  BoundedSink<char> sink(buffer, SIZE_MAX);
  int count = formatTo(sink, format, arguments, false);
  *sink.next = 0;
  return count;
}

int formatChecked(char *buffer, size_t size, const char *format, va_list arguments,
                  bool isFortified) {
  *buffer = 0;
  CheckedSink sink(buffer, size - 1);
  int count = formatTo(sink, format, arguments, isFortified);
  *sink.next = 0;
  return count;
}

int formatAllocated(char **result, const char *format, va_list arguments, bool isFortified) {
  GrowingSink sink;
  int count = formatTo(sink, format, arguments, isFortified);
  if (count < 0)
    return count;
  size_t length = sink.length();
  char *exact = static_cast<char *>(realloc(sink.block, length + 1));
  if (!exact)
    return -1;
  if (!sink.block)
    memcpy(exact, sink.buffer, length);
  sink.block = nullptr;
  exact[length] = 0;
  *result = exact;
  return count;
}

int formatWide(wchar_t *buffer, size_t size, const wchar_t *format, va_list arguments,
               bool isFortified) {
  if (size == 0)
    return -1;
  *buffer = 0;
  BoundedSink<wchar_t> sink(buffer, size - 1);
  int count = formatTo(sink, format, arguments, isFortified);
  if (sink.isFull)
    return -1;
  *sink.next = 0;
  return count;
}

} // namespace culprit
