// The pointer to the best candidate is only set when there is one that fits.
// expect: kind=segmentation-fault line=fail name=`best->name`
// layout: {"fill": {"uninitialised": 170}}
// args: 9000
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>

struct box {
  const char *name;
  int size;
};

static struct box boxes[] = {{"small", 10}, {"medium", 100}, {"large", 1000}};

static const char *fit(int size) {
  struct box *best; // cause
  for (int i = 2; i >= 0; i--)
    if (boxes[i].size >= size)
      best = &boxes[i];
  return best->name; // fail
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    puts(fit(atoi(argv[i])));
  return 0;
}
