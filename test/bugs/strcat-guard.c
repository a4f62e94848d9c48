// Joins words with commas and counts the characters, but not the terminating zero, which lands one
// behind the buffer.
// expect: kind=broken-guard line=fail name=just past `line` (16 bytes) in `join`
// layout: {"guard": 8}
// args: abcd efgh ijkl m
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <string.h>

static size_t room(const char *line, size_t size) {
  return size - strlen(line); // cause: one for the zero
}

static int join(int count, char **words) {
  char line[16] = "";
  for (int i = 0; i < count; i++) {
    if (i > 0 && room(line, sizeof line) >= 1)
      strcat(line, ",");
    if (strlen(words[i]) <= room(line, sizeof line))
      strcat(line, words[i]); // first
  }
  printf("%s\n", line);
  return (int)strlen(line); // fail
}

int main(int argc, char **argv) {
  return join(argc - 1, argv + 1) > 100;
}
