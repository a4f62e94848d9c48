// The program's name, which libc sets before any constructor.
#include "externals/models/library_variable.h"

// NOLINTBEGIN(bugprone-reserved-identifier)
namespace {
char g_none[] = "";
} // namespace

CULPRIT_VARIABLE char *__progname = g_none;
CULPRIT_VARIABLE char *__progname_full = g_none;
CULPRIT_ALIAS(__progname) char *program_invocation_short_name;
CULPRIT_ALIAS(__progname_full) char *program_invocation_name;
// NOLINTEND(bugprone-reserved-identifier)
