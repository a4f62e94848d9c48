// Unpacks runs. A letter makes the buffer grow when it is full, a run does not ask. How much there
// is at first is no number that was computed.
// expect: kind=broken-heap line=fail
// args: abcdef<39<49xyz<29
// cause: line=cause
// locate: line=cause and=buffer
#include <stdio.h>
#include <stdlib.h>

static char *out;
static size_t capacity, used;

static void put(char letter) {
  if (used == capacity) {
    capacity *= 2;
    out = realloc(out, capacity);
  }
  out[used++] = letter;
}

static void repeat(size_t distance, size_t length) {
  const char *from = out + used - distance;
  for (size_t i = 0; i < length; i++)
    out[used++] = from[i]; // cause: should be put()
}

int main(int argc, char **argv) {
  capacity = 16;
  out = malloc(capacity); // buffer
  long *runs = calloc(1, sizeof *runs);
  for (const char *p = argc > 1 ? argv[1] : "plain"; *p; p++)
    if (*p == '<') {
      repeat(p[1] - '0', p[2] - '0');
      p += 2;
      ++*runs;
    } else {
      put(*p);
    }
  fwrite(out, 1, used, stdout);
  printf("\n%ld runs\n", *runs);
  free(runs); // fail
  free(out);
  return 0;
}
