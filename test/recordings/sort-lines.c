// A filter: sorts the lines of its input.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void) {
  char **lines = 0, *line = 0;
  size_t count = 0, room = 0;
  while (getline(&line, &room, stdin) > 0) {
    lines = realloc(lines, (count + 1) * sizeof *lines);
    lines[count++] = strdup(line);
  }
  qsort(lines, count, sizeof *lines, compare);
  for (size_t i = 0; i < count; i++)
    fputs(lines[i], stdout);
  return count > 0 ? 0 : 1;
}
