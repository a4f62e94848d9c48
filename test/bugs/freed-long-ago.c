// A reader keeps the buffer of a file that was closed. A hundred thousand blocks are allocated and
// freed in its place before it is used again: which free it was is still known.
// expect: kind=segmentation-fault line=fail name=`current->next`
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  char *(*next)(struct buffer *);
  char text[40];
};

static struct buffer *current;

static char *first(struct buffer *buffer) {
  return buffer->text;
}

static struct buffer *openBuffer(const char *text) {
  struct buffer *buffer = malloc(sizeof *buffer);
  buffer->next = first;
  snprintf(buffer->text, sizeof buffer->text, "%s", text);
  return buffer;
}

static void closeBuffer(struct buffer *buffer) {
  free(buffer);
}

static unsigned measure(unsigned rounds) {
  unsigned sum = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    char *copy = malloc(sizeof(struct buffer));
    memset(copy, (int)(i % 50) + 1, sizeof(struct buffer));
    sum += (unsigned char)copy[i % sizeof(struct buffer)];
    free(copy);
  }
  return sum;
}

int main(void) {
  current = openBuffer("first");
  closeBuffer(current); // cause: it stays the current one
  printf("%u\n", measure(100000));
  puts(current->next(current)); // fail
  return 0;
}
