// The size of the pointer instead of the size of what it points to.
// expect: kind=broken-heap line=fail name=8 bytes before the heap block of 72 bytes allocated at @cells
// cause: line=cause
// locate: line=first and=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct matrix {
  int rows, columns;
  double scale, offset;
  double *cells;
};

static struct matrix *make(int rows, int columns) {
  struct matrix *m = malloc(sizeof(m)); // cause
  if (!m)
    return NULL;
  m->rows = rows;
  m->columns = columns;
  m->scale = 1.0; // first
  m->offset = 0;
  m->cells = calloc((size_t)rows * columns, sizeof(double)); // cells
  return m;
}

static double trace(const struct matrix *m) {
  double sum = 0;
  for (int i = 0; i < m->rows && i < m->columns; i++)
    sum += m->cells[i * m->columns + i] * m->scale + m->offset;
  return sum;
}

int main(void) {
  struct matrix *m = make(3, 3);
  if (!m)
    return 1;
  m->cells[4] = 2;
  printf("%g\n", trace(m));
  free(m->cells); // fail
  free(m);
  return 0;
}
