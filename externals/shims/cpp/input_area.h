// What an input stream's buffer holds, for functions that take it in one piece.
#ifndef CULPRIT_EXTERNALS_SHIMS_CPP_INPUT_AREA_H
#define CULPRIT_EXTERNALS_SHIMS_CPP_INPUT_AREA_H

#include <limits>
#include <streambuf>

namespace culprit {

/// Reaches the protected functions of a buffer.
template <typename Char> class InputArea : private std::basic_streambuf<Char> {
  using Buffer = std::basic_streambuf<Char>;

public:
  static const Char *start(const Buffer &buffer) { return (buffer.*(&InputArea::gptr))(); }

  static std::streamsize size(const Buffer &buffer) {
    return (buffer.*(&InputArea::egptr))() - start(buffer);
  }

  static void advance(Buffer &buffer, std::streamsize count) {
    constexpr int most = std::numeric_limits<int>::max();
    for (; count > most; count -= most)
      (buffer.*(&InputArea::gbump))(most);
    (buffer.*(&InputArea::gbump))(static_cast<int>(count));
  }
};

} // namespace culprit
#endif
