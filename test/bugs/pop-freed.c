// A stack whose records are freed before their link is read, at every pop.
// expect: kind=segmentation-fault line=fail name=`record->value`
// layout: {"fill": {"freed": 165}}
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>

struct record {
  struct record *next;
  int value;
};
static struct record *top;

static void push(int value) {
  struct record *record = malloc(sizeof *record);
  record->next = top;
  record->value = value;
  top = record;
}

static __attribute__((noinline)) int pop(void) {
  struct record *record = top;
  int value = record->value; // fail
  free(record); // cause: before the link is read
  top = record->next;
  return value;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    push(i);
  while (top)
    sum += pop();
  printf("%d\n", sum);
  return 0;
}
