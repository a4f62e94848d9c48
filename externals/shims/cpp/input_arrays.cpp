// Reading characters into arrays, or past them, where libstdc++ has more than its headers'
// templates.
#include "externals/shims/cpp/input_area.h"

#include <cxxabi.h>
#include <istream>
#include <limits>
#include <locale>

namespace culprit {
namespace {

using std::ios_base;
using std::streamsize;

constexpr streamsize kAll = std::numeric_limits<streamsize>::max();

/// Runs `body` after a sentry; what it throws becomes badbit, its result is added to the state.
template <typename Char, typename Body>
ios_base::iostate guarded(std::basic_istream<Char> &in, bool keepsSpace, Body body) {
  typename std::basic_istream<Char>::sentry sentry(in, keepsSpace);
  if (!sentry)
    return ios_base::goodbit;
  try {
    return body(*in.rdbuf());
  } catch (__cxxabiv1::__forced_unwind &) {
    in._M_setstate(ios_base::badbit);
    throw;
  } catch (...) {
    in._M_setstate(ios_base::badbit);
  }
  return ios_base::goodbit;
}

template <typename Char>
ios_base::iostate takeLine(std::basic_streambuf<Char> &buffer, Char *&to, streamsize size,
                           Char last, streamsize &count) {
  using Traits = std::char_traits<Char>;
  auto next = buffer.sgetc();
  while (count + 1 < size && next != Traits::eof() && next != Traits::to_int_type(last)) {
    *to++ = Traits::to_char_type(next);
    ++count;
    next = buffer.snextc();
  }
  if (next == Traits::eof())
    return ios_base::eofbit;
  if (next != Traits::to_int_type(last))
    return ios_base::failbit;
  ++count;
  buffer.sbumpc();
  return ios_base::goodbit;
}

/// Skips `size` characters, or up to and with the first `last`; eof() is never met.
template <typename Char, typename Int>
ios_base::iostate skip(std::basic_streambuf<Char> &buffer, streamsize size, Int last,
                       streamsize &count) {
  using Traits = std::char_traits<Char>;
  auto next = buffer.sgetc();
  // What is to skip all does not stop where its count does.
  while ((count < size || size == kAll) && next != Traits::eof() && next != last) {
    count += count < kAll;
    next = buffer.snextc();
  }
  if (count == size && size != kAll)
    return ios_base::goodbit;
  if (next == Traits::eof())
    return ios_base::eofbit;
  count += count < kAll;
  buffer.sbumpc();
  return ios_base::goodbit;
}

} // namespace
} // namespace culprit

namespace std {

#define CULPRIT_INPUT_ARRAYS(Char, Int)                                                            \
  template <>                                                                                      \
  basic_istream<Char> &basic_istream<Char>::getline(Char *to, streamsize size, Char last) {        \
    _M_gcount = 0;                                                                                 \
    ios_base::iostate state = culprit::guarded(*this, true, [&](basic_streambuf<Char> &buffer) {   \
      return culprit::takeLine(buffer, to, size, last, _M_gcount);                                 \
    });                                                                                            \
    if (size > 0)                                                                                  \
      *to = Char();                                                                                \
    if (_M_gcount == 0)                                                                            \
      state |= ios_base::failbit;                                                                  \
    if (state != ios_base::goodbit)                                                                \
      setstate(state);                                                                             \
    return *this;                                                                                  \
  }                                                                                                \
                                                                                                   \
  template <> basic_istream<Char> &basic_istream<Char>::ignore(streamsize size, Int last) {        \
    _M_gcount = 0;                                                                                 \
    ios_base::iostate state = culprit::guarded(*this, true, [&](basic_streambuf<Char> &buffer) {   \
      return size > 0 ? culprit::skip(buffer, size, last, _M_gcount) : ios_base::goodbit;          \
    });                                                                                            \
    if (state != ios_base::goodbit)                                                                \
      setstate(state);                                                                             \
    return *this;                                                                                  \
  }                                                                                                \
                                                                                                   \
  template <> basic_istream<Char> &basic_istream<Char>::ignore(streamsize size) {                  \
    return ignore(size, char_traits<Char>::eof());                                                 \
  }                                                                                                \
                                                                                                   \
  template <>                                                                                      \
  streamsize __copy_streambufs_eof(basic_streambuf<Char> *from, basic_streambuf<Char> *to,         \
                                   bool &isAtEnd) {                                                \
    using Area = culprit::InputArea<Char>;                                                         \
    using Traits = char_traits<Char>;                                                              \
    streamsize copied = 0;                                                                         \
    isAtEnd = true;                                                                                \
    for (auto next = from->sgetc(); next != Traits::eof();) {                                      \
      streamsize size = Area::size(*from);                                                         \
      if (size > 1) {                                                                              \
        streamsize written = to->sputn(Area::start(*from), size);                                  \
        Area::advance(*from, written);                                                             \
        copied += written;                                                                         \
        isAtEnd = written == size;                                                                 \
        if (!isAtEnd)                                                                              \
          return copied;                                                                           \
        next = from->underflow();                                                                  \
      } else {                                                                                     \
        isAtEnd = to->sputc(Traits::to_char_type(next)) != Traits::eof();                          \
        if (!isAtEnd)                                                                              \
          return copied;                                                                           \
        ++copied;                                                                                  \
        next = from->snextc();                                                                     \
      }                                                                                            \
    }                                                                                              \
    return copied;                                                                                 \
  }

CULPRIT_INPUT_ARRAYS(char, int)
CULPRIT_INPUT_ARRAYS(wchar_t, wint_t)

void __istream_extract(istream &in, char *to, streamsize room) {
  using Traits = char_traits<char>;
  streamsize extracted = 0;
  ios_base::iostate state = culprit::guarded(in, false, [&](streambuf &buffer) {
    streamsize most = in.width() > 0 ? min(in.width(), room) : room;
    const auto &types = use_facet<ctype<char>>(in.getloc());
    int next = buffer.sgetc();
    while (extracted < most - 1 && next != Traits::eof() &&
           !types.is(ctype_base::space, Traits::to_char_type(next))) {
      *to++ = Traits::to_char_type(next);
      ++extracted;
      next = buffer.snextc();
    }
    *to = char();
    in.width(0);
    return extracted < most - 1 && next == Traits::eof() ? ios_base::eofbit : ios_base::goodbit;
  });
  if (extracted == 0)
    state |= ios_base::failbit;
  if (state != ios_base::goodbit)
    in.setstate(state);
}

} // namespace std
