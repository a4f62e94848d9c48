// A pool that doubles its blocks until one is large enough for a length that is negative.
// expect: kind=out-of-memory line=fail
// args: -1
// cause: line=cause
#include <stdio.h>
#include <stdlib.h>

struct block {
  struct block *before;
  size_t size, used;
};

struct pool {
  struct block *last;
};

static void grow(struct pool *pool, size_t size) {
  struct block *block = malloc(sizeof *block + size);
  block->before = pool->last; // fail
  block->size = size;
  block->used = 0;
  pool->last = block;
}

static void *take(struct pool *pool, size_t length) {
  size_t size = pool->last ? pool->last->size : 64;
  while (!pool->last || pool->last->size - pool->last->used < length) {
    grow(pool, size);
    size *= 2;
  }
  void *result = (char *)(pool->last + 1) + pool->last->used;
  pool->last->used += length;
  return result;
}

int main(int argc, char **argv) {
  struct pool pool = {NULL};
  int length = argc > 1 ? atoi(argv[1]) : 10;
  char *text = take(&pool, (size_t)length); // cause
  snprintf(text, 8, "taken");
  puts(text);
  return 0;
}
