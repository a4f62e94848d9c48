// Prints a table: a number, a word and a fraction a line.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  long rows = argc > 1 ? atol(argv[1]) : 1000;
  for (long i = 0; i < rows; i++)
    printf("%8ld %-12s %.2f\n", i, i % 3 ? "some" : "other", (double)i / 7);
  return 0;
}
