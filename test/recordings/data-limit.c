// Has a limit on its data only, so that the heap of the C library and sbrk() come to an end.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
  struct rlimit limit = {30 << 20, 30 << 20};
  setrlimit(RLIMIT_DATA, &limit);
  int count = 0;
  while (count < 1000 && sbrk(1 << 16) != (void *)-1)
    ++count;
  printf("%s, %s\n", strerror(errno), count < 1000 ? "no more" : "more");
  return count < 1000 ? 3 : 4;
}
