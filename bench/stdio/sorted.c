// Sorts the lines of standard input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compareLines(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void) {
  char **lines = NULL;
  size_t count = 0, room = 0, size = 0;
  char *line = NULL;
  while (getline(&line, &size, stdin) > 0) {
    if (count == room)
      lines = realloc(lines, (room = room * 2 + 64) * sizeof *lines);
    lines[count++] = strdup(line);
  }
  qsort(lines, count, sizeof *lines, compareLines);
  for (size_t i = 0; i < count; i++)
    fputs(lines[i], stdout);
  return 0;
}
