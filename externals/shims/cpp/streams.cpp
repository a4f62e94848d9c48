// Streams and what they share: std::ios, std::streambuf, std::istream, std::ostream and the
// operators of both.
#include "externals/shims/cpp/number_facets.h"
#include "externals/shims/cpp/standard_streams.h"

#include <iomanip>
#include <istream>
#include <ostream>
#include <streambuf>

namespace {

/// Who has streams has the standard ones.
[[gnu::used]] void (*const needed)() = culprit::adoptStandardStreams;

} // namespace

namespace std {

#define CULPRIT_STREAMS(Char)                                                                      \
  template class basic_streambuf<Char>;                                                            \
  template class basic_ios<Char>;                                                                  \
  template class basic_ostream<Char>;                                                              \
  template class basic_istream<Char>;                                                              \
  template class basic_iostream<Char>;                                                             \
  template class istreambuf_iterator<Char>;                                                        \
  template class ostreambuf_iterator<Char>;                                                        \
  template streamsize __copy_streambufs(basic_streambuf<Char> *, basic_streambuf<Char> *);         \
  template basic_ostream<Char> &endl(basic_ostream<Char> &);                                       \
  template basic_ostream<Char> &ends(basic_ostream<Char> &);                                       \
  template basic_ostream<Char> &flush(basic_ostream<Char> &);                                      \
  template basic_istream<Char> &ws(basic_istream<Char> &);                                         \
  template basic_ostream<Char> &operator<<(basic_ostream<Char> &, Char);                           \
  template basic_ostream<Char> &operator<<(basic_ostream<Char> &, const Char *);                   \
  template basic_istream<Char> &operator>>(basic_istream<Char> &, Char &);                         \
  template basic_ostream<Char> &__ostream_insert(basic_ostream<Char> &, const Char *, streamsize); \
  template basic_ostream<Char> &operator<<(basic_ostream<Char> &, _Setfill<Char>);                 \
  template basic_istream<Char> &operator>>(basic_istream<Char> &, _Setfill<Char>);                 \
  template basic_ostream<Char> &operator<<(basic_ostream<Char> &, _Setiosflags);                   \
  template basic_istream<Char> &operator>>(basic_istream<Char> &, _Setiosflags);                   \
  template basic_ostream<Char> &operator<<(basic_ostream<Char> &, _Resetiosflags);                 \
  template basic_istream<Char> &operator>>(basic_istream<Char> &, _Resetiosflags);                 \
  template basic_ostream<Char> &operator<<(basic_ostream<Char> &, _Setbase);                       \
  template basic_istream<Char> &operator>>(basic_istream<Char> &, _Setbase);                       \
  template basic_ostream<Char> &operator<<(basic_ostream<Char> &, _Setprecision);                  \
  template basic_istream<Char> &operator>>(basic_istream<Char> &, _Setprecision);                  \
  template basic_ostream<Char> &operator<<(basic_ostream<Char> &, _Setw);                          \
  template basic_istream<Char> &operator>>(basic_istream<Char> &, _Setw);                          \
  template basic_ostream<Char> &basic_ostream<Char>::_M_insert(bool);                              \
  template basic_ostream<Char> &basic_ostream<Char>::_M_insert(long);                              \
  template basic_ostream<Char> &basic_ostream<Char>::_M_insert(unsigned long);                     \
  template basic_ostream<Char> &basic_ostream<Char>::_M_insert(long long);                         \
  template basic_ostream<Char> &basic_ostream<Char>::_M_insert(unsigned long long);                \
  template basic_ostream<Char> &basic_ostream<Char>::_M_insert(double);                            \
  template basic_ostream<Char> &basic_ostream<Char>::_M_insert(long double);                       \
  template basic_ostream<Char> &basic_ostream<Char>::_M_insert(const void *);                      \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(bool &);                           \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(unsigned short &);                 \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(unsigned int &);                   \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(long &);                           \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(unsigned long &);                  \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(long long &);                      \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(unsigned long long &);             \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(float &);                          \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(double &);                         \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(long double &);                    \
  template basic_istream<Char> &basic_istream<Char>::_M_extract(void *&);

CULPRIT_STREAMS(char)
CULPRIT_STREAMS(wchar_t)

template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);
template wostream &operator<<(wostream &, char);
template wostream &operator<<(wostream &, const char *);
template void __istream_extract(wistream &, wchar_t *, streamsize);

} // namespace std
