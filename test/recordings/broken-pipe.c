// Writes to a pipe that nobody reads: first with SIGPIPE ignored, then not.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  pipe(ends);
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  ssize_t done = write(ends[1], "x", 1);
  printf("%zd %d\n", done, errno == EPIPE);
  fflush(stdout);
  signal(SIGPIPE, SIG_DFL);
  write(ends[1], "x", 1);
  printf("never\n");
  return 0;
}
