// A stack of ints grows when it is full, measured one push too late. The allocator's rounding hides
// it; guard words behind the block do not.
// expect: kind=broken-guard line=fail name=just past the heap block of 20 bytes allocated at @alloc
// layout: {"guard": 16}
// args: 6
// cause: line=cause
// locate: line=second and=alloc
#include <stdio.h>
#include <stdlib.h>

struct stack {
  int *items;
  int count, room;
};

static void init(struct stack *stack, int room) {
  stack->items = malloc(room * sizeof(int)); // alloc
  stack->count = 0;
  stack->room = room;
}

static void push(struct stack *stack, int item) {
  if (stack->count > stack->room) { // cause: >=
    stack->room *= 2;
    stack->items = realloc(stack->items, stack->room * sizeof(int));
  }
  stack->items[stack->count++] = item; // second
}

static int pop(struct stack *stack) {
  return stack->count ? stack->items[--stack->count] : 0;
}

int main(int argc, char **argv) {
  struct stack stack;
  init(&stack, 5);
  int count = argc > 1 ? atoi(argv[1]) : 3;
  for (int i = 0; i < count; i++)
    push(&stack, i);
  printf("%d\n", pop(&stack));
  free(stack.items); // fail
  return 0;
}
