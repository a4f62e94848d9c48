// Uses all memory that it is allowed, until there is no more.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int main(void) {
  struct rlimit limit = {200 << 20, 200 << 20};
  setrlimit(RLIMIT_AS, &limit);
  int count = 0;
  for (char *block; count < 10000 && (block = malloc(1 << 16)); ++count)
    memset(block, count, 1 << 16);
  printf("%s, %s\n", strerror(errno), count < 10000 ? "no more" : "more");
  return count % 100;
}
