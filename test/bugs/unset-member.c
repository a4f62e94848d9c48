// A list whose cells come from a wrapper of malloc; the one that makes them forgets the link, so
// that walking the list follows what the memory held before.
// expect: kind=segmentation-fault line=fail
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
  struct cell *link;
  const char *name;
};

static void *allocate(size_t size) {
  void *block = malloc(size);
  if (!block)
    exit(2);
  return block;
}

static struct cell *make(const char *name) {
  struct cell *cell = allocate(sizeof *cell); // cause: cell->link is not set
  cell->name = name;
  return cell;
}

static void add(struct cell *list, const char *name) {
  while (list->link) // fail
    list = list->link;
  list->link = make(name);
}

int main(void) {
  char *text = allocate(sizeof(struct cell));
  memset(text, 'x', sizeof(struct cell));
  free(text);
  struct cell *list = make("first");
  add(list, "second");
  printf("%s\n", list->name);
  return 0;
}
