// A heap (of priorities) whose sift goes up one place too few; its own assertion notices.
// expect: kind=failed-assert line=fail
// args: 5 4 3 2 1
// cause: line=cause
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 32

struct heap {
  int items[MOST];
  int count;
};

static void check(const struct heap *heap) {
  for (int i = 1; i < heap->count; i++)
    assert(heap->items[(i - 1) / 2] <= heap->items[i]); // fail
}

static void insert(struct heap *heap, int item) {
  int place = heap->count++;
  heap->items[place] = item;
  while (place > 1 && heap->items[(place - 1) / 2] > heap->items[place]) { // cause: place > 0
    int parent = (place - 1) / 2, value = heap->items[parent];
    heap->items[parent] = heap->items[place];
    heap->items[place] = value;
    place = parent;
  }
}

int main(int argc, char **argv) {
  struct heap heap = {{0}, 0};
  for (int i = 1; i < argc && i <= MOST; i++)
    insert(&heap, atoi(argv[i]));
  heap.count > 1 && heap.items[1] < heap.items[0] ? check(&heap) : (void)0;
  printf("least: %d\n", heap.items[0]);
  return 0;
}
