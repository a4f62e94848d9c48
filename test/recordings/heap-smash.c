// Writes past a heap block by as much as the time says, and frees it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void) {
  char *block = malloc(24), *other = malloc(24);
  fprintf(stderr, "writing\n");
  memset(block, 7, 24 + (time(0) != 0) * 16);
  free(other);
  free(block);
  return 0;
}
