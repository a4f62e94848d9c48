// Numbers to text and back: the facets that streams use for it.
//
// The facets of the classic locale, and of named ones, are objects of the shared library, with its
// virtual functions. Where such an object is of the very class, not of one derived from it, the
// functions are known; so `put` and `get` call those here. Included first: libstdc++'s headers must
// not have said that the facets are instantiated elsewhere.
#ifndef CULPRIT_EXTERNALS_SHIMS_CPP_NUMBER_FACETS_H
#define CULPRIT_EXTERNALS_SHIMS_CPP_NUMBER_FACETS_H

#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

#include <locale>

#define CULPRIT_PUT(Char, Value)                                                                   \
  template <>                                                                                      \
  ostreambuf_iterator<Char> num_put<Char>::put(iter_type, ios_base &, Char, Value) const;
#define CULPRIT_GET(Char, Value)                                                                   \
  template <>                                                                                      \
  istreambuf_iterator<Char> num_get<Char>::get(iter_type, iter_type, ios_base &,                   \
                                               ios_base::iostate &, Value &) const;

/// Each value that there is a `put` for, and the same for `get`.
#define CULPRIT_ALL_PUT(Do, Char)                                                                  \
  Do(Char, bool) Do(Char, long) Do(Char, unsigned long) Do(Char, long long)                        \
      Do(Char, unsigned long long) Do(Char, double) Do(Char, long double) Do(Char, const void *)
#define CULPRIT_ALL_GET(Do, Char)                                                                  \
  Do(Char, bool) Do(Char, long) Do(Char, unsigned short) Do(Char, unsigned int)                    \
      Do(Char, unsigned long) Do(Char, long long) Do(Char, unsigned long long) Do(Char, float)     \
          Do(Char, double) Do(Char, long double) Do(Char, void *)

namespace std {

CULPRIT_ALL_PUT(CULPRIT_PUT, char)
CULPRIT_ALL_PUT(CULPRIT_PUT, wchar_t)
CULPRIT_ALL_GET(CULPRIT_GET, char)
CULPRIT_ALL_GET(CULPRIT_GET, wchar_t)

} // namespace std

#undef CULPRIT_PUT
#undef CULPRIT_GET
#endif
