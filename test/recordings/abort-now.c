// Ends by abort(), with a buffer that is never written.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  printf("lost\n");
  fprintf(stderr, "seen\n");
  abort();
}
