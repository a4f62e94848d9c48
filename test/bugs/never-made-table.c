// A stack that grows when it is full, measured by what it holds: while it is empty nothing is too
// small, and the table is never made.
// expect: kind=segmentation-fault line=fail
// args: 5
// cause: line=cause
#include <stdio.h>
#include <stdlib.h>

struct entry {
  int type;
  int line;
};

static struct entry *table;
static unsigned size;
static int used;

static void clear(void) { used = 0; }

static void push(int type, int line) {
  unsigned needed = used * sizeof *table; // cause: used + 1
  if (size < needed) {
    size = needed * 2;
    table = realloc(table, size);
  }
  table[used].type = type; // fail
  table[used++].line = line;
}

int main(int argc, char **argv) {
  clear();
  for (int i = 1; i < argc; i++)
    push(i, atoi(argv[i]));
  printf("%d\n", used);
  return 0;
}
