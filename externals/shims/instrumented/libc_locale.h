// libc's own object behind a locale that the program made (externals/models/locale_objects.h),
// which is in the executable: libraries ask it there.
#ifndef CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_LIBC_LOCALE_H
#define CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_LIBC_LOCALE_H

#include <bits/types/locale_t.h>

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" locale_t __culprit_libc_locale(locale_t locale);

#endif
