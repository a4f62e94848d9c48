// Adds up what such a table has.
#include <stdio.h>

int main(void) {
  long number, rows = 0;
  double fraction, sum = 0;
  char word[64];
  while (scanf("%ld %63s %lf", &number, word, &fraction) == 3) {
    rows += number + word[0];
    sum += fraction;
  }
  printf("%ld %.2f\n", rows, sum);
  return 0;
}
