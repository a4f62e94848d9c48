// Fails on what it reads.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int *values = calloc(4, sizeof *values);
  printf("before\n");
  fflush(stdout);
  values = getpid() > 0 ? 0 : values;
  values[2] = 1;
  return 0;
}
