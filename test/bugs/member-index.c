// A tag that is too long runs over the position behind it, from which an index is computed.
// expect: kind=segmentation-fault line=fail
// args: "ab 1" "abcdefghi 3"
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
  char tag[6];
  unsigned short column;
  char *text;
};

static int grid[10 * 1000];

static void put(struct cell *cell, char *line) {
  char *space = strchr(line, ' ');
  *space = 0;
  cell->column = (unsigned short)atoi(space + 1);
  cell->text = strdup(line);
  strcpy(cell->tag, line); // cause: up to 5
}

int main(int argc, char **argv) {
  static struct cell cells[8];
  char line[64];
  int count = 0;
  for (; count < 8 && count + 1 < argc; count++) {
    snprintf(line, sizeof line, "%s", argv[count + 1]);
    put(&cells[count], line);
  }
  for (int i = 0; i < count; i++)
    grid[cells[i].column * 1000] += 1; // fail
  for (int i = 0; i < count; i++)
    free(cells[i].text);
  return grid[1] > 1;
}
