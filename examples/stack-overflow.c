// Stack buffer overflow, after the one of the download accelerator prozilla: reads the status line
// of a server's answer.
//
// What is wrong: line 26 copies the reason that the server gives into 24 bytes, as long as it may
// be. It runs over the locals above it and over the return address of `parse_status`, which fails
// when it returns, on line 28.
//
// demo: culprit run -- ./stack-overflow 'HTTP/1.1 404 Not Found' -> none
// demo: culprit run -- ./stack-overflow 'HTTP/1.1 302 Moved to a place that is a long way from here and still farther' -> broken-return, line 28
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_words(const char *text) {
  int count = 1;
  for (; *text; text++)
    count += *text == ' ';
  return count;
}

static int parse_status(const char *line, int *code) {
  char reason[24];
  const char *space = strchr(line, ' ');
  *code = space ? atoi(space + 1) : 0;
  space = space ? strchr(space + 1, ' ') : NULL;
  strcpy(reason, space ? space + 1 : "none");
  int words = count_words(reason);
  return words;
}

int main(int argc, char **argv) {
  int code = 0;
  if (argc < 2) {
    fputs("no status line\n", stderr);
    return 2;
  }
  int words = parse_status(argv[1], &code);
  printf("code %d, a reason of %d words\n", code, words);
  return code >= 400;
}
