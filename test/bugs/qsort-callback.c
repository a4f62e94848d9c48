// Sorts structs as if they were pointers to structs: the comparison takes a step too many.
// expect: kind=segmentation-fault line=fail name=`a->key[0]`
// cause: line=cause
#include <stdio.h>
#include <stdlib.h>

struct item {
  const char *key;
  int rank;
};

static struct item items[] = {{"pineapple", 3}, {"blueberry", 1}, {"nectarine", 2}};

static int by_key(const void *left, const void *right) {
  const struct item *a = *(struct item *const *)left; // cause: one * less
  const struct item *b = *(struct item *const *)right;
  int difference = a->key[0]; // fail
  return difference - b->key[0];
}

static void print(const struct item *list, int count) {
  for (int i = 0; i < count; i++)
    printf("%s %d\n", list[i].key, list[i].rank);
}

int main(void) {
  qsort(items, 3, sizeof *items, by_key);
  print(items, 3);
  return 0;
}
