// locale_t of the program and of libc.
#ifndef CULPRIT_EXTERNALS_MODELS_LOCALE_OBJECTS_H
#define CULPRIT_EXTERNALS_MODELS_LOCALE_OBJECTS_H

#include "externals/models/tokens.h"

#include <locale.h>

namespace culprit {

inline bool isLocaleObject(locale_t locale) {
  return locale && locale != LC_GLOBAL_LOCALE;
}

inline const void *localeToken(locale_t locale) {
  return locale->__locales[0];
}

inline bool isProgramLocale(locale_t locale) {
  return isLocaleObject(locale) && isToken(localeToken(locale));
}

/// What libc is to be given for a locale of the program's; others as they are.
locale_t libcLocale(locale_t locale);

} // namespace culprit
#endif
