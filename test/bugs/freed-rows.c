// A grid frees one row more than it has: what is read behind the last one is freed, too.
// expect: kind=wild-free line=fail
// cause: line=fail
// locate: line=fail
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct grid {
  int width, height;
  char **rows;
};

static struct grid *make(int width, int height, char fill) {
  struct grid *grid = malloc(sizeof *grid);
  if (!grid)
    abort();
  grid->width = width;
  grid->height = height;
  grid->rows = malloc(height * sizeof *grid->rows);
  for (int y = 0; y < height; y++) {
    grid->rows[y] = malloc((size_t)width + 1);
    memset(grid->rows[y], fill, (size_t)width);
    grid->rows[y][width] = 0;
  }
  return grid;
}

static void destroy(struct grid *grid) {
  for (int y = 0; y <= grid->height; y++)
    free(grid->rows[y]); // fail
  free(grid->rows);
  free(grid);
}

int main(void) {
  struct grid *small = make(3, 3, '.');
  struct grid *large = make(20, 5, '#');
  printf("%s %s\n", small->rows[2], large->rows[4]);
  destroy(small);
  destroy(large);
  return 0;
}
