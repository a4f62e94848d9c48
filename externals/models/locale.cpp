// The process's locale: names and conventions as copies.
#include "externals/external.h"
#include "externals/models/ctype_tables.h"
#include "externals/models/kept_text.h"
#include "externals/models/locale_objects.h"

#include <algorithm>
#include <iterator>
#include <langinfo.h>
#include <locale.h>
#include <stdint.h>

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

/// Numbers in the place of a pointer. glibc sets only half of it.
bool isNumberItem(nl_item item) {
  constexpr nl_item kNumbers[] = {_NL_TIME_ERA_NUM_ENTRIES,
                                  _NL_TIME_WEEK_1STDAY,
                                  _NL_MONETARY_DUO_VALID_FROM,
                                  _NL_MONETARY_DUO_VALID_TO,
                                  _NL_MONETARY_DECIMAL_POINT_WC,
                                  _NL_MONETARY_THOUSANDS_SEP_WC,
                                  _NL_NUMERIC_DECIMAL_POINT_WC,
                                  _NL_NUMERIC_THOUSANDS_SEP_WC,
                                  _NL_PAPER_HEIGHT,
                                  _NL_PAPER_WIDTH,
                                  _NL_ADDRESS_COUNTRY_NUM};
  return std::find(std::begin(kNumbers), std::end(kNumbers), item) != std::end(kNumbers);
}

bool isWideItem(nl_item item) {
  return (item >= _NL_WABDAY_1 && item <= _NL_WERA_T_FMT) || item == _NL_W_DATE_FMT ||
         (item >= _NL_WALTMON_1 && item <= _NL_WALTMON_12) ||
         (item >= _NL_WABALTMON_1 && item <= _NL_WABALTMON_12);
}

/// How many items a category has is asked for by an item, too.
bool isCount(const char *text) {
  return reinterpret_cast<unsigned long>(text) < 65536;
}

char *infoFor(nl_item item, char *text) {
  if (isNumberItem(item)) // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<char *>(reinterpret_cast<unsigned long>(text) & UINT32_MAX);
  if (!isTextItem(item) || isCount(text))
    return text;
  return isWideItem(item) ? keptWideText(text) : keptText(text);
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
  return CULPRIT_CALLED_FOR_PROGRAM ? infoFor(item, text) : text;
}

CULPRIT_EXTERNAL char *nl_langinfo_l(nl_item item, locale_t locale) {
  char *text = CULPRIT_NEXT(nl_langinfo_l)(item, libcLocale(locale));
  return CULPRIT_CALLED_FOR_PROGRAM ? infoFor(item, text) : text;
}

CULPRIT_EXTERNAL char *__nl_langinfo_l(nl_item item, locale_t locale)
    __attribute__((alias("nl_langinfo_l")));

} // namespace culprit
