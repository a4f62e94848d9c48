// strtok, which remembers where it is in memory of the program.
#include "externals/external.h"

#include <string.h>

namespace culprit {
namespace {

char *g_rest;

} // namespace

CULPRIT_EXTERNAL char *strtok(char *text, const char *delimiters) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(strtok)(text, delimiters);
  return strtok_r(text, delimiters, &g_rest);
}

} // namespace culprit
