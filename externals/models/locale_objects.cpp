// Locales that the program makes: newlocale and its kin.
//
// The headers' macros look into them (isalpha_l reads a table), so they are no tokens but
// structures of glibc's form in heap blocks of the program's, with tables and names that are
// copies. In the place of glibc's data there is a token for the real locale.
#include "externals/models/locale_objects.h"

#include "externals/external.h"
#include "externals/models/ctype_tables.h"
#include "externals/models/kept_text.h"
#include "externals/models/thread_cells.h"
#include "externals/models/tokens.h"
#include "externals/shims/instrumented/libc_locale.h"

#include <errno.h>
#include <stdlib.h>

namespace culprit {
namespace {

void describe(locale_t ours, locale_t theirs, void *token) {
  *ours = {};
  ours->__locales[0] = static_cast<__locale_data *>(token);
  const CtypeTables *tables =
      keptTables(theirs->__ctype_b, theirs->__ctype_tolower, theirs->__ctype_toupper);
  ours->__ctype_b = tables->classes + kCtypeZero;
  ours->__ctype_tolower = tables->toLower + kCtypeZero;
  ours->__ctype_toupper = tables->toUpper + kCtypeZero;
  for (size_t i = 0; i < sizeof ours->__names / sizeof ours->__names[0]; ++i)
    ours->__names[i] = keptText(theirs->__names[i]);
}

locale_t asOurs(locale_t theirs) {
  if (!isLocaleObject(theirs))
    return theirs;
  auto ours = static_cast<locale_t>(malloc(sizeof *theirs));
  void *token = ours ? makeToken(TokenKind::Locale, theirs) : nullptr;
  if (!token) {
    CULPRIT_NEXT(freelocale)(theirs);
    free(ours);
    errno = ENOMEM;
    return nullptr;
  }
  describe(ours, theirs, token);
  return ours;
}

} // namespace

// NOLINTNEXTLINE(bugprone-reserved-identifier)
CULPRIT_EXTERNAL locale_t __culprit_libc_locale(locale_t locale) {
  return libcLocale(locale);
}

CULPRIT_EXTERNAL locale_t newlocale(int mask, const char *name, locale_t base) {
  locale_t theirs = CULPRIT_NEXT(newlocale)(mask, name, libcLocale(base));
  if (!isProgramLocale(base))
    return CULPRIT_CALLED_FOR_PROGRAM ? asOurs(theirs) : theirs;
  if (!theirs)
    return nullptr;
  entryOf(TokenKind::Locale, localeToken(base))->theirs = theirs;
  describe(base, theirs, base->__locales[0]);
  return base;
}

CULPRIT_EXTERNAL locale_t duplocale(locale_t locale) {
  locale_t theirs = CULPRIT_NEXT(duplocale)(libcLocale(locale));
  return CULPRIT_CALLED_FOR_PROGRAM ? asOurs(theirs) : theirs;
}

CULPRIT_EXTERNAL void freelocale(locale_t locale) {
  locale_t theirs = libcLocale(locale);
  if (isProgramLocale(locale)) {
    dropToken(localeToken(locale));
    free(locale);
  }
  CULPRIT_NEXT(freelocale)(theirs);
}

CULPRIT_EXTERNAL locale_t uselocale(locale_t locale) {
  locale_t before = CULPRIT_NEXT(uselocale)(libcLocale(locale));
  ThreadCells &cells = ownCells();
  if (isProgramLocale(cells.locale) && before == libcLocale(cells.locale))
    before = cells.locale;
  if (locale) {
    cells.locale = locale;
    refreshCtypeFor(locale);
  }
  return before;
}

// The names that libstdc++ uses.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
locale_t __newlocale(int mask, const char *name, locale_t base);
locale_t __duplocale(locale_t locale);
void __freelocale(locale_t locale);
locale_t __uselocale(locale_t locale);
}

CULPRIT_EXTERNAL locale_t __newlocale(int mask, const char *name, locale_t base)
    __attribute__((alias("newlocale")));
CULPRIT_EXTERNAL locale_t __duplocale(locale_t locale) __attribute__((alias("duplocale")));
CULPRIT_EXTERNAL void __freelocale(locale_t locale) __attribute__((alias("freelocale")));
CULPRIT_EXTERNAL locale_t __uselocale(locale_t locale) __attribute__((alias("uselocale")));
// NOLINTEND(bugprone-reserved-identifier)

} // namespace culprit
