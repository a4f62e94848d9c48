// The process's locale: names and conventions as copies.
#include "externals/external.h"
#include "externals/models/ctype_tables.h"
#include "externals/models/kept_text.h"
#include "externals/models/locale_objects.h"

#include <langinfo.h>
#include <locale.h>

namespace culprit {
namespace {

lconv g_conventions;

constexpr char *lconv::*kConventionTexts[] = {&lconv::decimal_point,     &lconv::thousands_sep,
                                              &lconv::grouping,          &lconv::int_curr_symbol,
                                              &lconv::currency_symbol,   &lconv::mon_decimal_point,
                                              &lconv::mon_thousands_sep, &lconv::mon_grouping,
                                              &lconv::positive_sign,     &lconv::negative_sign};

/// The others of these categories are tables, which no program is to ask for.
bool isTextItem(nl_item item) {
  int category = item >> 16;
  return item == CODESET || (category != LC_CTYPE && category != LC_COLLATE);
}

/// Some items are numbers in the place of a pointer.
bool isNumber(const char *text) {
  return reinterpret_cast<unsigned long>(text) < 65536;
}

char *infoFor(nl_item item, char *text) {
  return isTextItem(item) && !isNumber(text) ? keptText(text) : text;
}

} // namespace

CULPRIT_EXTERNAL char *setlocale(int category, const char *name) {
  char *now = CULPRIT_NEXT(setlocale)(category, name);
  if (name && now)
    refreshCtype();
  return CULPRIT_CALLED_BY_PROGRAM ? keptText(now) : now;
}

CULPRIT_EXTERNAL lconv *localeconv() {
  lconv *theirs = CULPRIT_NEXT(localeconv)();
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return theirs;
  g_conventions = *theirs;
  for (char *lconv::*text : kConventionTexts)
    g_conventions.*text = keptText(theirs->*text);
  return &g_conventions;
}

CULPRIT_EXTERNAL char *nl_langinfo(nl_item item) {
  char *text = CULPRIT_NEXT(nl_langinfo)(item);
  return CULPRIT_CALLED_BY_PROGRAM ? infoFor(item, text) : text;
}

CULPRIT_EXTERNAL char *nl_langinfo_l(nl_item item, locale_t locale) {
  char *text = CULPRIT_NEXT(nl_langinfo_l)(item, libcLocale(locale));
  return CULPRIT_CALLED_BY_PROGRAM ? infoFor(item, text) : text;
}

CULPRIT_EXTERNAL char *__nl_langinfo_l(nl_item item, locale_t locale)
    __attribute__((alias("nl_langinfo_l")));

} // namespace culprit
