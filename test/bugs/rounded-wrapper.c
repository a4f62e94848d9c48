// An allocator of the program's own takes small blocks from a pool and rounds what it asks malloc
// for; one of its callers has the size of a pointer in place of that of a cell.
// expect: kind=broken-heap line=fail
// cause: line=and
// locate: line=first and=and
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union unit {
  union unit *link;
  double number;
};

struct cell {
  int type;
  void *pointer;
  double number;
};

static union unit *pool[16];

static void *allocate(size_t size) {
  unsigned units = (unsigned)((size + sizeof(union unit) - 1) / sizeof(union unit));
  size_t bytes = units * sizeof(union unit);
  union unit *block;
  if (units > 16) {
    block = malloc(bytes);
    if (!block)
      abort();
  } else if ((block = pool[units - 1]) != NULL) {
    pool[units - 1] = block->link;
  } else if (!(block = malloc(bytes))) {
    abort();
  }
  return block;
}

static void release(void *block, size_t size) {
  size_t units = (size + sizeof(union unit) - 1) / sizeof(union unit);
  union unit *first = block;
  if (units > 16) {
    free(block);
    return;
  }
  first->link = pool[units - 1];
  pool[units - 1] = first;
}

int main(void) {
  struct cell *cells = allocate(64 * sizeof(struct cell *)); // and
  char *name = allocate(200);
  strcpy(name, "cells");
  memset(cells, 0, 64 * sizeof(struct cell)); // first
  cells[3].number = 3;
  printf("%s %g\n", name, cells[3].number); // fail
  release(name, 200);
  release(cells, 64 * sizeof(struct cell *));
  return 0;
}
