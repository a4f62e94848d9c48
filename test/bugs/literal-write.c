// Makes the default title upper case where it stands: in a string literal.
// expect: kind=segmentation-fault line=fail name=`"untitled"[0]`
// cause: line=cause
// locate: line=cause
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *title_of(int argc, char **argv) {
  if (argc > 1)
    return strdup(argv[1]);
  return "untitled"; // cause: strdup
}

static int upper(char *text) {
  int changed = 0;
  for (int i = 0; text[i]; i++)
    if (islower((unsigned char)text[i])) {
      text[i] = (char)toupper((unsigned char)text[i]); // fail
      changed++;
    }
  return changed;
}

int main(int argc, char **argv) {
  char *title = title_of(argc, argv);
  int changed = upper(title);
  printf("%s, %d changed\n", title, changed);
  return 0;
}
