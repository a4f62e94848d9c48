// strcoll, strxfrm and their relatives.
//
// In a locale without rules of its own the order is that of the characters. Otherwise libc knows
// it, and is asked about copies.
#include "externals/external.h"
#include "externals/outside.h"
#include "externals/shims/instrumented/instrumented.h"
#include "externals/shims/instrumented/libc_locale.h"
#include "externals/shims/instrumented/text.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>

namespace culprit {
namespace {

/// langinfo hands out a number of 32 bits in the place of a pointer.
bool hasRules(const char *count) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(count)) != 0;
}

bool hasRules() {
  return hasRules(CULPRIT_NEXT(nl_langinfo)(_NL_COLLATE_NRULES));
}

bool hasRules(locale_t locale) {
  return hasRules(CULPRIT_NEXT(nl_langinfo_l)(_NL_COLLATE_NRULES, locale));
}

/// A copy of a text that is released again; the text itself where there is no memory.
template <typename Char> class Copy {
public:
  explicit Copy(const Char *text) : text_(text) {
    size_t size = lengthOf(text) + 1;
    int error = errno;
    copy_ = static_cast<Char *>(malloc(size * sizeof(Char)));
    if (copy_)
      copy(copy_, text, size);
    errno = error;
  }
  Copy(const Copy &) = delete;
  Copy &operator=(const Copy &) = delete;
  ~Copy() {
    int error = errno;
    free(copy_);
    errno = error;
  }
  const Char *text() const { return copy_ ? copy_ : text_; }

private:
  const Char *text_;
  Char *copy_;
};

template <typename Char, typename Next, typename... Locale>
int collate(const Char *a, const Char *b, Next next, Locale... locale) {
  if (!hasRules(locale...))
    return compareText(a, b);
  return next(Copy<Char>(a).text(), Copy<Char>(b).text(), locale...);
}

template <typename Char, typename Next, typename... Locale>
size_t transform(Char *to, const Char *from, size_t room, Next next, Locale... locale) {
  if (!hasRules(locale...)) {
    size_t length = lengthOf(from);
    if (room != 0)
      copyPadded(to, from, room < length + 1 ? room : length + 1);
    return length;
  }
  Copy<Char> source(from);
  size_t length = next(nullptr, source.text(), 0, locale...);
  if (room == 0)
    return length;
  size_t size = room < length + 1 ? room : length + 1;
  auto *result = static_cast<Char *>(malloc(size * sizeof(Char)));
  if (!result)
    return next(to, source.text(), room, locale...);
  next(result, source.text(), size, locale...);
  copy(to, result, size);
  int error = errno;
  free(result);
  errno = error;
  return length;
}

template <typename Char, typename... Locale>
using Collate = int (*)(const Char *a, const Char *b, Locale... locale);
template <typename Char, typename... Locale>
using Transform = size_t (*)(Char *to, const Char *from, size_t room, Locale... locale);

} // namespace

#define CULPRIT_COLLATE(name, Char)                                                                \
  CULPRIT_INSTRUMENTED int name(const Char *a, const Char *b) {                                    \
    CULPRIT_OUTSIDE static Collate<Char> found;                                                    \
    return collate(a, b, nextFunction(found, #name));                                              \
  }
#define CULPRIT_COLLATE_IN(name, Char)                                                             \
  CULPRIT_INSTRUMENTED_LOCALE int name(const Char *a, const Char *b, locale_t locale) {            \
    CULPRIT_OUTSIDE static Collate<Char, locale_t> found;                                          \
    return collate(a, b, nextFunction(found, #name), __culprit_libc_locale(locale));               \
  }
#define CULPRIT_TRANSFORM(name, Char)                                                              \
  CULPRIT_INSTRUMENTED size_t name(Char *to, const Char *from, size_t room) {                      \
    CULPRIT_OUTSIDE static Transform<Char> found;                                                  \
    return transform(to, from, room, nextFunction(found, #name));                                  \
  }
#define CULPRIT_TRANSFORM_IN(name, Char)                                                           \
  CULPRIT_INSTRUMENTED_LOCALE size_t name(Char *to, const Char *from, size_t room,                 \
                                          locale_t locale) {                                       \
    CULPRIT_OUTSIDE static Transform<Char, locale_t> found;                                        \
    return transform(to, from, room, nextFunction(found, #name), __culprit_libc_locale(locale));   \
  }

CULPRIT_COLLATE(strcoll, char)
CULPRIT_COLLATE(wcscoll, wchar_t)
CULPRIT_COLLATE_IN(strcoll_l, char)
CULPRIT_COLLATE_IN(__strcoll_l, char)
CULPRIT_COLLATE_IN(wcscoll_l, wchar_t)
CULPRIT_COLLATE_IN(__wcscoll_l, wchar_t)
CULPRIT_TRANSFORM(strxfrm, char)
CULPRIT_TRANSFORM(wcsxfrm, wchar_t)
CULPRIT_TRANSFORM_IN(strxfrm_l, char)
CULPRIT_TRANSFORM_IN(__strxfrm_l, char)
CULPRIT_TRANSFORM_IN(wcsxfrm_l, wchar_t)
CULPRIT_TRANSFORM_IN(__wcsxfrm_l, wchar_t)

} // namespace culprit
