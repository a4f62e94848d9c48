// Reads to memory that is there in part only, so that a call that fails has written something: this is not recorded.
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(page + 4096, 4096);
  static char bytes[8192] = "xyz";
  int ends[2];
  pipe(ends);
  write(ends[1], bytes, sizeof bytes);
  long got = read(ends[0], page + 4000, 8000);
  printf("%ld %d %c\n", got, errno == EFAULT, page[4000] ? page[4000] : '-');
  return 0;
}
