// Classes and mappings of wide characters: numbers for the program, but in glibc pointers into the
// locale. The program's are tokens.
#include "externals/external.h"
#include "externals/models/locale_objects.h"
#include "externals/models/tokens.h"

#include <wchar.h>
#include <wctype.h>

namespace culprit {
namespace {

void *pointer(wctype_t number) {
  return reinterpret_cast<void *>(number); // NOLINT(performance-no-int-to-ptr)
}

wctype_t programClass(wctype_t theirs) {
  return theirs == 0 ? 0
                     : reinterpret_cast<wctype_t>(tokenFor(TokenKind::WideClass, pointer(theirs)));
}

wctype_t libcClass(wctype_t ours) {
  TokenEntry *entry = entryOf(TokenKind::WideClass, pointer(ours));
  return entry ? reinterpret_cast<wctype_t>(entry->theirs) : ours;
}

wctrans_t programMapping(wctrans_t theirs) {
  if (!theirs)
    return nullptr;
  return static_cast<wctrans_t>(
      tokenFor(TokenKind::WideMapping, const_cast<void *>(static_cast<const void *>(theirs))));
}

wctrans_t libcMapping(wctrans_t ours) {
  TokenEntry *entry = entryOf(TokenKind::WideMapping, ours);
  return entry ? static_cast<wctrans_t>(entry->theirs) : ours;
}

} // namespace

CULPRIT_EXTERNAL wctype_t wctype(const char *name) {
  wctype_t theirs = CULPRIT_NEXT(wctype)(name);
  return CULPRIT_CALLED_FOR_PROGRAM ? programClass(theirs) : theirs;
}

CULPRIT_EXTERNAL wctype_t wctype_l(const char *name, locale_t locale) {
  wctype_t theirs = CULPRIT_NEXT(wctype_l)(name, libcLocale(locale));
  return CULPRIT_CALLED_FOR_PROGRAM ? programClass(theirs) : theirs;
}

CULPRIT_EXTERNAL int iswctype(wint_t character, wctype_t wanted) {
  return CULPRIT_NEXT(iswctype)(character, libcClass(wanted));
}

CULPRIT_EXTERNAL int iswctype_l(wint_t character, wctype_t wanted, locale_t locale) {
  return CULPRIT_NEXT(iswctype_l)(character, libcClass(wanted), libcLocale(locale));
}

CULPRIT_EXTERNAL wctrans_t wctrans(const char *name) {
  wctrans_t theirs = CULPRIT_NEXT(wctrans)(name);
  return CULPRIT_CALLED_FOR_PROGRAM ? programMapping(theirs) : theirs;
}

CULPRIT_EXTERNAL wctrans_t wctrans_l(const char *name, locale_t locale) {
  wctrans_t theirs = CULPRIT_NEXT(wctrans_l)(name, libcLocale(locale));
  return CULPRIT_CALLED_FOR_PROGRAM ? programMapping(theirs) : theirs;
}

CULPRIT_EXTERNAL wint_t towctrans(wint_t character, wctrans_t mapping) {
  return CULPRIT_NEXT(towctrans)(character, libcMapping(mapping));
}

CULPRIT_EXTERNAL wint_t towctrans_l(wint_t character, wctrans_t mapping, locale_t locale) {
  return CULPRIT_NEXT(towctrans_l)(character, libcMapping(mapping), libcLocale(locale));
}

// As the C++ library calls them.
CULPRIT_EXTERNAL wctype_t __wctype_l(const char *name, locale_t locale)
    __attribute__((alias("wctype_l")));
CULPRIT_EXTERNAL int __iswctype_l(wint_t character, wctype_t wanted, locale_t locale)
    __attribute__((alias("iswctype_l")));
CULPRIT_EXTERNAL wctrans_t __wctrans_l(const char *name, locale_t locale)
    __attribute__((alias("wctrans_l")));
CULPRIT_EXTERNAL wint_t __towctrans_l(wint_t character, wctrans_t mapping, locale_t locale)
    __attribute__((alias("towctrans_l")));

} // namespace culprit
