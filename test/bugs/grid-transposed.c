// A grid of 4 rows and 12 columns that is cleared with row and column exchanged: it runs over the
// pointer to the cursor behind it.
// expect: kind=segmentation-fault line=fail name=`cursor->x`
// cause: line=cause
// locate: line=cause
#include <stdio.h>

#define ROWS 4
#define COLUMNS 12

struct point {
  int x, y;
};

struct point home = {0, 0};
int grid[ROWS][COLUMNS] = {{1}};
struct point *cursor = &home;

static void clear(int value) {
  for (int x = 0; x < COLUMNS; x++)
    for (int y = 0; y < ROWS; y++)
      grid[x][y] = value; // cause: should be grid[y][x]
}

static int at(const struct point *p) {
  return grid[p->y % ROWS][p->x % COLUMNS];
}

static void move(int dx, int dy) {
  cursor->x += dx; // fail
  cursor->y += dy;
}

int main(void) {
  clear(-1);
  move(1, 2);
  printf("%d\n", at(cursor));
  return 0;
}
