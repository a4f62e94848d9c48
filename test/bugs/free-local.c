// Uses a local buffer for short texts and the heap for long ones, and frees either.
// expect: kind=wild-free line=fail name=`small[0]` in `reversed`
// args: short
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reverse(char *to, const char *from, size_t length) {
  for (size_t i = 0; i < length; i++)
    to[i] = from[length - 1 - i];
  to[length] = 0;
}

static size_t reversed(const char *text) {
  char small[64];
  char *buffer = small; // first
  size_t length = strlen(text);
  if (length >= sizeof small)
    buffer = malloc(length + 1);
  if (!buffer)
    return 0;
  reverse(buffer, text, length);
  puts(buffer);
  free(buffer); // cause, fail
  return length;
}

int main(int argc, char **argv) {
  size_t total = 0;
  for (int i = 1; i < argc; i++)
    total += reversed(argv[i]);
  printf("%zu letters\n", total);
  return 0;
}
