// Its output goes through copies of descriptors, and for a while elsewhere.
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  int saved = dup(1);
  struct iovec parts[2] = {{"vec", 3}, {"tor\n", 4}};
  int nothing = open("/dev/null", O_WRONLY);
  printf("first\n");
  fflush(stdout);
  dup2(nothing, 1);
  printf("not seen\n");
  fflush(stdout);
  dup2(saved, 1);
  close(saved);
  writev(1, parts, 2);
  dup2(2, 1);
  printf("on stderr\n");
  return 0;
}
