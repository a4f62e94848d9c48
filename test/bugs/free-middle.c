// Skips the spaces in front of a line by moving the pointer that is freed later.
// expect: kind=wild-free line=fail name=`line[3]` of the heap block of 64 bytes allocated at @alloc
// args: '   indented'
// cause: line=cause
// locate: line=cause
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_line(const char *from) {
  char *line = malloc(64);
  if (!line)
    abort();
  snprintf(line, 64, "%s", from);
  return line;
}

static int words(const char *text) {
  int count = 0;
  for (; *text; text++)
    if (!isspace((unsigned char)*text) && (text[1] == 0 || isspace((unsigned char)text[1])))
      count++;
  return count;
}

int main(int argc, char **argv) {
  char *line = read_line(argc > 1 ? argv[1] : "plain"); // alloc
  while (isspace((unsigned char)*line))
    line++; // cause
  printf("%s: %d words\n", line, words(line));
  free(line); // fail
  return 0;
}
