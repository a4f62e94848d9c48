// The state of a parser is pushed as a copy, with the array that it owns; both are freed. Between,
// the pointer is put back where it is already.
// expect: kind=double-free line=fail
// cause: line=copied
// locate: line=copied and=freed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
  int *columns;
  int depth, room;
  struct state *next;
};

static struct state *top;

static void push(void) {
  struct state *copy = malloc(sizeof *copy);
  if (!copy)
    abort();
  memcpy(copy, top, sizeof *copy); // copied: and the columns
  copy->next = top;
  top = copy;
}

static void restore(void) {
  int *columns = top->columns;
  struct state *next = top->next;
  memcpy(top, next, sizeof *top);
  top->next = next;
  top->columns = columns;
  memcpy(top->columns, next->columns, next->depth * sizeof(int));
}

static void release(void *block) {
  free(block); // fail
}

static void pop(void) {
  struct state *copy = top;
  top = copy->next;
  release(copy->columns); // freed
  release(copy);
}

static void nest(int column) {
  top->columns[top->depth++] = column;
}

int main(void) {
  top = calloc(1, sizeof *top);
  if (!top)
    return 1;
  top->room = 8;
  top->columns = calloc(top->room, sizeof(int));
  nest(2);
  push();
  nest(4);
  restore();
  nest(6);
  pop();
  nest(8);
  printf("%d levels\n", top->depth);
  release(top->columns);
  release(top);
  return 0;
}
