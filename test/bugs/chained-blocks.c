// Blocks of an area are chained by numbers of two bytes, side by side with others that change all
// the time. One chain ends with a number that its reader does not know.
// expect: kind=segmentation-fault line=read
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 40, SIZE = 1 << 20, END = 0xffff };

static unsigned short next[BLOCKS];
static unsigned short uses[BLOCKS];
static char *area;

static void chain(int length) {
  for (int i = 0; i < BLOCKS; i++)
    next[i] = (unsigned short)(i % length == length - 1 ? END : i + 1);
}

static void cut(int block) {
  next[block] = END - 1; // cause: should be END
}

static int sum(int block) {
  int total = 0;
  for (; block != END; block = next[block]) {
    total += area[(long)block * SIZE]; // read
    uses[block]++;
  }
  return total;
}

int main(void) {
  area = calloc(BLOCKS, SIZE);
  if (!area)
    return 1;
  memset(next, 0xff, sizeof next);
  for (int length = 2; length < BLOCKS; length++) {
    chain(length);
    if (length == 23)
      cut(17);
    uses[length] = (unsigned short)sum(length - 1);
    if (sum(0) != 0)
      return 1;
  }
  printf("%d\n", uses[3]);
  return 0;
}
