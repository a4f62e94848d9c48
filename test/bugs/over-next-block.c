// Tables that grow together; one is cleared as far as another one reaches, over all of its
// neighbour and beyond.
// expect: kind=broken-heap line=fail
// args: 40
// cause: line=store
// locate: line=alloc and=store
#include <stdio.h>
#include <stdlib.h>

static char **values, **names;
static int count, other;

static void grow(int by) {
  values = malloc((count + by) * sizeof *values); // alloc
  names = malloc((count + by) * sizeof *names);
  count += by;
  for (int i = 0; i < other; i++)
    values[i] = NULL; // store: i < count
  for (int i = 0; i < count; i++)
    names[i] = NULL;
}

int main(int argc, char **argv) {
  other = 3 * atoi(argv[argc - 1]);
  grow(atoi(argv[argc - 1]));
  char *text = malloc(100); // fail
  snprintf(text, 100, "%d values, %d names", count, count);
  puts(text);
  return 0;
}
