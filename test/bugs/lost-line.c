// A line is made longer, and what realloc has returned is lost: the old block is written to, and
// freed again. Were it not freed, it would still be too short.
// expect: kind=double-free line=moved
// cause: line=cause
// locate: line=moved
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
  size_t length;
  char *cells;
};

static void start(struct line *line, const char *text) {
  line->length = strlen(text);
  line->cells = malloc(line->length + 1);
  if (!line->cells)
    abort();
  strcpy(line->cells, text);
}

static void resize(struct line *line, size_t length) {
  char *moved = realloc(line->cells, length + 1); // moved
  if (!moved)
    abort();
  memset(line->cells + line->length, ' ', length - line->length); // cause: moved
  line->length = length;
}

static void append(struct line *line, const char *text) {
  size_t length = line->length;
  resize(line, length + strlen(text));
  memcpy(line->cells + length, text, strlen(text));
}

int main(void) {
  struct line line, other;
  start(&line, "a line that is not that short at all");
  start(&other, "another");
  append(&line, ", and gets longer");
  append(&line, ", and longer");
  printf("%zu\n", line.length + other.length);
  free(line.cells);
  free(other.cells);
  return 0;
}
