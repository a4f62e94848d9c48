/* Linked to a program, makes it fail at its very end, if BENCH_FAILS is set: of a value that was set
   before the program began. So `culprit locate` makes all its runs at the program's full length, and
   in those that suppress something, that is there from the start to the end. */
#include <stdlib.h>

static int there;
static int *place = &there;

__attribute__((constructor)) static void begin(void) {
  if (getenv("BENCH_FAILS"))
    place = NULL;
}

__attribute__((destructor)) static void end(void) {
  if (!place)
    abort(); /* programs handle SIGSEGV */
}
