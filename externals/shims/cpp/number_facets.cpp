// See number_facets.h.
#include "externals/shims/cpp/number_facets.h"

#include <cmath>
#include <limits>
#include <stdlib.h>
#include <typeinfo>

namespace std {

#define CULPRIT_PUT(Char, Value)                                                                   \
  template <>                                                                                      \
  ostreambuf_iterator<Char> num_put<Char>::put(iter_type to, ios_base &format, Char fill,          \
                                               Value value) const {                                \
    if (typeid(*this) == typeid(num_put<Char>))                                                    \
      return num_put<Char>::do_put(to, format, fill, value);                                       \
    return do_put(to, format, fill, value);                                                        \
  }
#define CULPRIT_GET(Char, Value)                                                                   \
  template <>                                                                                      \
  istreambuf_iterator<Char> num_get<Char>::get(iter_type from, iter_type end, ios_base &format,    \
                                               ios_base::iostate &state, Value &value) const {     \
    if (typeid(*this) == typeid(num_get<Char>))                                                    \
      return num_get<Char>::do_get(from, end, format, state, value);                               \
    return do_get(from, end, format, state, value);                                                \
  }

CULPRIT_ALL_PUT(CULPRIT_PUT, char)
CULPRIT_ALL_PUT(CULPRIT_PUT, wchar_t)
CULPRIT_ALL_GET(CULPRIT_GET, char)
CULPRIT_ALL_GET(CULPRIT_GET, wchar_t)

template class num_put<char>;
template class num_put<wchar_t>;
template class num_get<char>;
template class num_get<wchar_t>;
template struct __numpunct_cache<char>;
template struct __numpunct_cache<wchar_t>;

namespace {

/// What num_get makes of a text: all of it is one number, or nothing; too large ones are the
/// largest.
template <typename Number>
void toNumber(const char *text, Number &number, ios_base::iostate &state, const __c_locale &locale,
              Number (*convert)(const char *, char **, __c_locale) noexcept) {
  char *end = nullptr;
  number = convert(text, &end, locale);
  if (end == text || *end != '\0') {
    number = 0;
    state = ios_base::failbit;
  } else if (std::isinf(number)) {
    number = copysign(numeric_limits<Number>::max(), number);
    state = ios_base::failbit;
  }
}

} // namespace

template <>
void __convert_to_v(const char *text, float &number, ios_base::iostate &state,
                    const __c_locale &locale) throw() {
  toNumber(text, number, state, locale, strtof_l);
}

template <>
void __convert_to_v(const char *text, double &number, ios_base::iostate &state,
                    const __c_locale &locale) throw() {
  toNumber(text, number, state, locale, strtod_l);
}

template <>
void __convert_to_v(const char *text, long double &number, ios_base::iostate &state,
                    const __c_locale &locale) throw() {
  toNumber(text, number, state, locale, strtold_l);
}

} // namespace std
