// Translated messages. A message without a translation is the program's own text, and stays so;
// translations and what the catalogues are called are copies.
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/tokens.h"

#include <errno.h>
#include <libintl.h>
#include <nl_types.h>

namespace culprit {
namespace {

char *programText(char *result, const char *first, const char *second = nullptr) {
  return result == first || result == second ? result : keptText(result);
}

nl_catd noCatalogue() {
  return reinterpret_cast<nl_catd>(-1); // NOLINT(performance-no-int-to-ptr)
}

nl_catd libcCatalogue(nl_catd catalogue) {
  if (!isToken(catalogue))
    return catalogue;
  TokenEntry *entry = entryOf(TokenKind::Catalogue, catalogue);
  return entry ? static_cast<nl_catd>(entry->theirs) : noCatalogue();
}

} // namespace

#define CULPRIT_MESSAGE(name, parameters, first, second, ...)                                      \
  CULPRIT_EXTERNAL char *name parameters {                                                         \
    char *result = CULPRIT_NEXT(name)(__VA_ARGS__);                                                \
    return CULPRIT_CALLED_BY_PROGRAM ? programText(result, first, second) : result;                \
  }
CULPRIT_MESSAGE(gettext, (const char *text), text, nullptr, text)
CULPRIT_MESSAGE(dgettext, (const char *domain, const char *text), text, nullptr, domain, text)
CULPRIT_MESSAGE(dcgettext, (const char *domain, const char *text, int category), text, nullptr,
                domain, text, category)
CULPRIT_MESSAGE(ngettext, (const char *one, const char *many, unsigned long count), one, many, one,
                many, count)
CULPRIT_MESSAGE(dngettext,
                (const char *domain, const char *one, const char *many, unsigned long count), one,
                many, domain, one, many, count)
CULPRIT_MESSAGE(dcngettext,
                (const char *domain, const char *one, const char *many, unsigned long count,
                 int category),
                one, many, domain, one, many, count, category)
CULPRIT_MESSAGE(textdomain, (const char *domain), nullptr, nullptr, domain)
CULPRIT_MESSAGE(bindtextdomain, (const char *domain, const char *folder), nullptr, nullptr, domain,
                folder)
CULPRIT_MESSAGE(bind_textdomain_codeset, (const char *domain, const char *codeset), nullptr,
                nullptr, domain, codeset)

CULPRIT_EXTERNAL nl_catd catopen(const char *name, int flag) {
  nl_catd theirs = CULPRIT_NEXT(catopen)(name, flag);
  if (theirs == noCatalogue() || !CULPRIT_CALLED_BY_PROGRAM)
    return theirs;
  if (void *token = makeToken(TokenKind::Catalogue, theirs))
    return token;
  CULPRIT_NEXT(catclose)(theirs);
  errno = ENOMEM;
  return noCatalogue();
}

CULPRIT_EXTERNAL char *catgets(nl_catd catalogue, int set, int number, const char *text) {
  char *result = CULPRIT_NEXT(catgets)(libcCatalogue(catalogue), set, number, text);
  return CULPRIT_CALLED_BY_PROGRAM ? programText(result, text) : result;
}

CULPRIT_EXTERNAL int catclose(nl_catd catalogue) {
  nl_catd theirs = libcCatalogue(catalogue);
  if (entryOf(TokenKind::Catalogue, catalogue))
    dropToken(catalogue);
  return CULPRIT_NEXT(catclose)(theirs);
}

} // namespace culprit
