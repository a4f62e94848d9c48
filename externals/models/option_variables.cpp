// What getopt tells and is told.
#include "externals/models/library_variable.h"

CULPRIT_VARIABLE char *optarg = nullptr;
CULPRIT_VARIABLE int optind = 1;
CULPRIT_VARIABLE int opterr = 1;
CULPRIT_VARIABLE int optopt = '?';
