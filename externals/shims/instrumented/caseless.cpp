// Comparison and search of strings where upper and lower case are the same.
#include "externals/shims/instrumented/instrumented.h"
#include "externals/shims/instrumented/letters.h"
#include "externals/shims/instrumented/text.h"

namespace culprit {
namespace {

template <typename Char, typename Locale>
int compareCaseless(const Char *a, const Char *b, size_t most, const Locale &locale) {
  for (size_t i = 0; i < most; ++i) {
    int order = locale.lower(a[i]) - locale.lower(b[i]);
    if (order != 0 || a[i] == 0)
      return order;
  }
  return 0;
}

bool beginsCaseless(const char *text, const char *wanted) {
  for (; *wanted != 0; ++text, ++wanted)
    if (CurrentLocale().lower(*text) != CurrentLocale().lower(*wanted))
      return false;
  return true;
}

char *findCaseless(const char *text, const char *wanted) {
  for (;; ++text) {
    if (beginsCaseless(text, wanted))
      return const_cast<char *>(text);
    if (*text == 0)
      return nullptr;
  }
}

} // namespace

#define CULPRIT_CASELESS(name, Char)                                                               \
  CULPRIT_INSTRUMENTED int name(const Char *a, const Char *b) {                                    \
    return compareCaseless(a, b, SIZE_MAX, CurrentLocale());                                       \
  }
#define CULPRIT_CASELESS_WITHIN(name, Char)                                                        \
  CULPRIT_INSTRUMENTED int name(const Char *a, const Char *b, size_t most) {                       \
    return compareCaseless(a, b, most, CurrentLocale());                                           \
  }
#define CULPRIT_CASELESS_IN(name, Char)                                                            \
  CULPRIT_INSTRUMENTED int name(const Char *a, const Char *b, locale_t locale) {                   \
    return compareCaseless(a, b, SIZE_MAX, GivenLocale{locale});                                   \
  }
#define CULPRIT_CASELESS_WITHIN_IN(name, Char)                                                     \
  CULPRIT_INSTRUMENTED int name(const Char *a, const Char *b, size_t most, locale_t locale) {      \
    return compareCaseless(a, b, most, GivenLocale{locale});                                       \
  }

CULPRIT_CASELESS(strcasecmp, char)
CULPRIT_CASELESS(__strcasecmp, char)
CULPRIT_CASELESS(wcscasecmp, wchar_t)
CULPRIT_CASELESS_WITHIN(strncasecmp, char)
CULPRIT_CASELESS_WITHIN(wcsncasecmp, wchar_t)
CULPRIT_CASELESS_IN(strcasecmp_l, char)
CULPRIT_CASELESS_IN(__strcasecmp_l, char)
CULPRIT_CASELESS_IN(wcscasecmp_l, wchar_t)
CULPRIT_CASELESS_IN(__wcscasecmp_l, wchar_t)
CULPRIT_CASELESS_WITHIN_IN(strncasecmp_l, char)
CULPRIT_CASELESS_WITHIN_IN(__strncasecmp_l, char)
CULPRIT_CASELESS_WITHIN_IN(wcsncasecmp_l, wchar_t)
CULPRIT_CASELESS_WITHIN_IN(__wcsncasecmp_l, wchar_t)

CULPRIT_INSTRUMENTED char *strcasestr(const char *text, const char *wanted) {
  return findCaseless(text, wanted);
}

CULPRIT_INSTRUMENTED char *__strcasestr(const char *text, const char *wanted) {
  return findCaseless(text, wanted);
}

} // namespace culprit
