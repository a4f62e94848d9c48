// The place of the separator stays unset when a line has none.
// expect: kind=segmentation-fault line=fail name=`line[place]`
// layout: {"fill": {"uninitialised": 119}}
// args: noseparator
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <string.h>

static char line[64];

static int separator(const char *text, long *place) {
  for (long i = 0; text[i]; i++)
    if (text[i] == ';') {
      *place = i;
      return 1;
    }
  return 0;
}

static int cut(const char *text) {
  long place; // cause
  snprintf(line, sizeof line, "%s", text);
  int found = separator(line, &place);
  line[place] = 0; // fail
  return found;
}

int main(int argc, char **argv) {
  int found = cut(argc > 1 ? argv[1] : "a;b");
  printf("%d %s\n", found, line);
  return 0;
}
