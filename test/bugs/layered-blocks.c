// An allocator in layers: who asks for memory gets it by way of one that rounds, counts and hands the
// block out through a pointer. A key is stored with a size that leaves out the zero and the length.
// expect: kind=broken-guard line=fail
// layout: {"guard": 16}
// cause: line=asked
// locate: line=asked and=stored
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct methods {
  void *(*get)(int size);
  int (*size)(void *block);
  int (*round)(int size);
};

static long in_use;

static void *get(int size) {
  long *block = malloc((size_t)size + 8);
  if (block) {
    block[0] = size;
    block++;
  }
  return block;
}

static int size(void *block) { return (int)((long *)block)[-1]; }

static int rounded(int size) { return (size + 7) & ~7; }

static struct methods methods = {get, size, rounded};

static void get_counted(int size, void **out) {
  int full = methods.round(size);
  void *block = methods.get(full);
  if (block) {
    full = methods.size(block);
    in_use += full;
  }
  *out = block;
}

static void *allocate(unsigned long size) {
  void *block;
  if (size == 0 || size >= 0x7fffff00)
    block = NULL;
  else
    get_counted((int)size, &block);
  return block;
}

static void *allocate_cleared(unsigned long size) {
  void *block = allocate(size);
  if (block)
    memset(block, 0, size);
  return block;
}

static void release(void *block) {
  in_use -= methods.size(block);
  free((long *)block - 1); // fail
}

static char *stored(const char *key) {
  size_t length = strlen(key);
  char *copy = allocate_cleared(length); // asked
  if (!copy)
    abort();
  strcpy(copy, key); // stored
  return copy;
}

int main(int argc, char **argv) {
  const char *key = argc > 1 ? argv[1] : "twenty-four letters long";
  char *one = stored(key);
  char *two = stored("short");
  printf("%s %s %ld\n", one, two, in_use);
  release(one);
  release(two);
  return 0;
}
