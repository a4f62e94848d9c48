// Takes the line feed from the end of a line, as long as there is one character; of an empty line the
// last byte of the block's own header is taken.
// expect: kind=broken-heap line=fail name=before the heap block of 24 bytes allocated at @alloc
// args: 'first\n' ''
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
  char *text;
  int number;
};

static struct line read_line(const char *from, int number) {
  struct line line = {malloc(24), number}; // alloc
  if (!line.text)
    abort();
  snprintf(line.text, 24, "%s", from);
  return line;
}

static void chomp(char *text) {
  size_t length = strlen(text);
  text[length - 1] = 0; // cause: if (length > 0)
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct line line = read_line(argv[i], i);
    chomp(line.text);
    printf("%d: %s\n", line.number, line.text);
    free(line.text); // fail
  }
  return 0;
}
