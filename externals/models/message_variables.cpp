// How error() and argp tell what is wrong.
#include "externals/models/library_variable.h"

CULPRIT_VARIABLE unsigned int error_message_count = 0;
CULPRIT_VARIABLE int error_one_per_line = 0;
CULPRIT_VARIABLE void (*error_print_progname)(void) = nullptr;
