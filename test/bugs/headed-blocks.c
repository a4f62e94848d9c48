// An allocator of the program's own puts a header in front of each block, to count what is in use;
// a stack of numbers grows one push too late, which the allocator has no part in.
// expect: kind=broken-heap line=fail
// cause: line=cause
// locate: line=grown and=pushed
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct block {
  size_t size;
  char data[];
};

struct pool {
  size_t used, most;
  void *(*get)(void *manager, size_t size);
  void *manager;
};

#define OF_DATA(pointer) \
  ((pointer) ? (struct block *)((char *)(pointer)-offsetof(struct block, data)) : NULL)

static void *get(struct pool *pool, size_t size) {
  struct block *block;
  size_t bytes = size + sizeof *block;
  if (pool->get)
    block = pool->get(pool->manager, bytes);
  else
    block = malloc(bytes); // fail
  if (!block)
    abort();
  block->size = size;
  pool->used += size;
  if (pool->used > pool->most)
    pool->most = pool->used;
  return block->data;
}

static void release(struct pool *pool, void *pointer, size_t size) {
  struct block *block = OF_DATA(pointer);
  pool->used -= size;
  free(block);
}

struct stack {
  long *numbers;
  unsigned count, room;
};

static void grow(struct pool *pool, struct stack *stack) {
  unsigned room = stack->room ? stack->room * 2 : 2;
  long *numbers = get(pool, room * sizeof *numbers); // grown
  for (unsigned i = 0; i < stack->count && i < room; i++)
    numbers[i] = stack->numbers[i];
  if (stack->numbers)
    release(pool, stack->numbers, stack->room * sizeof *numbers);
  stack->numbers = numbers;
  stack->room = room;
}

static void push(struct pool *pool, struct stack *stack, long number) {
  if (!stack->numbers || stack->count > stack->room) // cause: >=
    grow(pool, stack);
  stack->numbers[stack->count++] = number; // pushed
}

int main(void) {
  struct pool pool = {0};
  struct stack stack = {0};
  for (long i = 1; i < 20; i++)
    push(&pool, &stack, i * i);
  printf("%u numbers, %zu bytes\n", stack.count, pool.most);
  release(&pool, stack.numbers, stack.room * sizeof(long));
  return 0;
}
