// iconv: conversions are tokens.
#include "externals/external.h"
#include "externals/models/tokens.h"

#include <errno.h>
#include <iconv.h>

namespace culprit {
namespace {

iconv_t none() {
  return reinterpret_cast<iconv_t>(-1); // NOLINT(performance-no-int-to-ptr)
}

/// libc knows -1 for no conversion.
iconv_t behind(iconv_t conversion) {
  if (!isToken(conversion))
    return conversion;
  TokenEntry *entry = entryOf(TokenKind::Conversion, conversion);
  return entry ? entry->theirs : none();
}

} // namespace

CULPRIT_EXTERNAL iconv_t iconv_open(const char *to, const char *from) {
  iconv_t theirs = CULPRIT_NEXT(iconv_open)(to, from);
  if (theirs == none() || !CULPRIT_CALLED_FOR_PROGRAM)
    return theirs;
  if (void *token = makeToken(TokenKind::Conversion, theirs))
    return token;
  CULPRIT_NEXT(iconv_close)(theirs);
  errno = ENOMEM;
  return none();
}

CULPRIT_EXTERNAL size_t iconv(iconv_t conversion, char **from, size_t *fromLeft, char **to,
                              size_t *toLeft) {
  return CULPRIT_NEXT(iconv)(behind(conversion), from, fromLeft, to, toLeft);
}

CULPRIT_EXTERNAL int iconv_close(iconv_t conversion) {
  iconv_t theirs = behind(conversion);
  if (entryOf(TokenKind::Conversion, conversion))
    dropToken(conversion);
  return CULPRIT_NEXT(iconv_close)(theirs);
}

} // namespace culprit
