// Dies of a signal without a handler.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  printf("up\n");
  fflush(stdout);
  kill(getpid(), SIGTERM);
  printf("never\n");
  return 0;
}
