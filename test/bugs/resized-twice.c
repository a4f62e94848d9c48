// A line is made longer, first where it is and then elsewhere; who asked for that keeps the pointer
// from before both.
// expect: kind=double-free line=freed
// cause: line=cause
// locate: line=freed
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
  char *cells = realloc(line->cells, length + 1); // freed
  if (!cells)
    abort();
  memset(cells + line->length, ' ', length - line->length);
  cells[length] = 0;
  line->length = length; // cause: and the cells
}

int main(void) {
  struct line line, other;
  start(&line, "a line");
  resize(&line, 14);
  start(&other, "another");
  resize(&line, 400);
  resize(&line, 900);
  printf("%zu\n", line.length + other.length);
  free(line.cells);
  free(other.cells);
  return 0;
}
