// Clears as much of a line as a pointer is long; what is behind the text was there before.
// expect: kind=abort line=fail
// cause: line=cause
// locate: line=made
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
  char *text;
  size_t room;
};

static void start(struct line *line) {
  line->room = 64;
  line->text = malloc(line->room);          // made
  memset(line->text, 0, sizeof line->text); // cause: line->room
}

static void put(struct line *line, size_t at, const char *word) {
  memcpy(line->text + at, word, strlen(word));
}

static void leave_traces(void) {
  char *blocks[3];
  for (int i = 0; i < 3; i++)
    memset(blocks[i] = malloc(64), 'z', 64);
  for (int i = 0; i < 3; i++)
    free(blocks[i]);
}

int main(void) {
  leave_traces();
  struct line line;
  start(&line);
  put(&line, 0, "0123456789");
  put(&line, 10, "abc");
  if (strlen(line.text) != 13)
    abort(); // fail
  puts(line.text);
  return 0;
}
