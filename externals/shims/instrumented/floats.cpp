// strtod and its relatives: the characters are copied here, their value is libc's to know.
#include "externals/outside.h"
#include "externals/shims/instrumented/float_extent.h"
#include "externals/shims/instrumented/instrumented.h"
#include "runtime/dynamic/next.h"

#include <errno.h>

extern "C" void *malloc(size_t size);
extern "C" void free(void *block);

namespace culprit {
namespace {

constexpr size_t kUsual = 256;

/// `value` reads a terminated text and says how many characters of it were the number.
template <typename Char, typename Locale, typename Value>
auto readFloat(const Char *text, Char **end, const Locale &locale, Value value) {
  auto length = static_cast<size_t>(FloatExtent<Char, Locale>(text, locale).end() - text);
  Char usual[kUsual];
  Char *number = usual;
  if (length >= kUsual)
    number = static_cast<Char *>(malloc((length + 1) * sizeof(Char)));
  if (!number)
    return value(text, end);
  for (size_t i = 0; i < length; ++i)
    number[i] = text[i];
  number[length] = 0;
  Char *rest;
  auto result = value(number, &rest);
  if (end)
    *end = const_cast<Char *>(text) + (rest - number);
  if (number != usual) {
    int error = errno;
    free(number);
    errno = error;
  }
  return result;
}

template <typename Float, typename Char> using Reader = Float (*)(const Char *text, Char **end);
template <typename Float, typename Char>
using ReaderIn = Float (*)(const Char *text, Char **end, locale_t locale);

} // namespace

#define CULPRIT_READ(name, Float, Char)                                                            \
  CULPRIT_INSTRUMENTED Float name(const Char *text, Char **end) {                                  \
    CULPRIT_OUTSIDE static Reader<Float, Char> found;                                              \
    return readFloat(text, end, CurrentLocale(), nextFunction(found, #name));                      \
  }
#define CULPRIT_READ_IN(name, Float, Char)                                                         \
  CULPRIT_INSTRUMENTED_LOCALE Float name(const Char *text, Char **end, locale_t locale) {          \
    CULPRIT_OUTSIDE static ReaderIn<Float, Char> found;                                            \
    ReaderIn<Float, Char> next = nextFunction(found, #name);                                       \
    return readFloat(text, end, GivenLocale{locale}, [=](const Char *number, Char **rest) {        \
      return next(number, rest, __culprit_libc_locale(locale));                                    \
    });                                                                                            \
  }
#define CULPRIT_READ_ALL(name, Float, Char)                                                        \
  CULPRIT_READ(name, Float, Char)                                                                  \
  CULPRIT_READ_IN(name##_l, Float, Char)

CULPRIT_READ_ALL(strtod, double, char)
CULPRIT_READ_ALL(strtof, float, char)
CULPRIT_READ_ALL(strtold, long double, char)
CULPRIT_READ_ALL(strtof32, float, char)
CULPRIT_READ_ALL(strtof64, double, char)
CULPRIT_READ_ALL(strtof32x, double, char)
CULPRIT_READ_ALL(strtof64x, long double, char)
CULPRIT_READ_ALL(strtof128, __float128, char)
CULPRIT_READ_IN(__strtod_l, double, char)
CULPRIT_READ_IN(__strtof_l, float, char)
CULPRIT_READ_IN(__strtold_l, long double, char)
CULPRIT_READ_ALL(wcstod, double, wchar_t)
CULPRIT_READ_ALL(wcstof, float, wchar_t)
CULPRIT_READ_ALL(wcstold, long double, wchar_t)
CULPRIT_READ_ALL(wcstof32, float, wchar_t)
CULPRIT_READ_ALL(wcstof64, double, wchar_t)
CULPRIT_READ_ALL(wcstof32x, double, wchar_t)
CULPRIT_READ_ALL(wcstof64x, long double, wchar_t)
CULPRIT_READ_ALL(wcstof128, __float128, wchar_t)
CULPRIT_READ_IN(__wcstod_l, double, wchar_t)
CULPRIT_READ_IN(__wcstof_l, float, wchar_t)
CULPRIT_READ_IN(__wcstold_l, long double, wchar_t)
#undef CULPRIT_READ_ALL
#undef CULPRIT_READ_IN
#undef CULPRIT_READ

CULPRIT_INSTRUMENTED double atof(const char *text) {
  CULPRIT_OUTSIDE static Reader<double, char> found;
  return readFloat<char>(text, nullptr, CurrentLocale(), nextFunction(found, "strtod"));
}

} // namespace culprit
