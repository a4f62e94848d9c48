// An own check that ends in a trap instruction, so that it costs nothing.
// expect: kind=illegal-instruction line=fail
// cause: line=cause
#include <stdio.h>

#define CHECK(condition) ((condition) ? (void)0 : __builtin_trap())

struct ring {
  int items[4];
  unsigned first, count;
};

static void push(struct ring *ring, int item) {
  CHECK(ring->count < 4); // fail
  ring->items[(ring->first + ring->count++) % 4] = item;
}

static int pop(struct ring *ring) {
  CHECK(ring->count > 0);
  int item = ring->items[ring->first];
  ring->first = (ring->first + 1) % 4;
  ring->count--;
  return item;
}

int main(void) {
  struct ring ring = {{0}, 0, 0};
  int sum = 0;
  for (int i = 0; i < 6; i++) {
    push(&ring, i);
    if (i % 4 == 3) // cause: i % 2 == 1
      sum += pop(&ring);
  }
  printf("%d\n", sum);
  return 0;
}
