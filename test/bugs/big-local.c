// A picture of 4096 by 4096 floats as a local variable: no stack is that large.
// expect: kind=stack-exhausted line=fail
// cause: line=cause
#include <stdio.h>

#define SIDE 4096

static void shade(float (*row)[SIDE], int y) {
  for (int x = 0; x < SIDE; x++)
    (*row)[x] = (float)(x ^ y) / SIDE;
}

__attribute__((noinline)) static double render(int lines) { // fail
  float picture[SIDE][SIDE];                                // cause, fail
  double sum = 0;                                           // fail
  for (int y = lines - 1; y >= 0; y--)
    shade(&picture[y], y); // fail
  for (int y = 0; y < lines; y++)
    sum += picture[y][y];
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  printf("%g\n", render(argc * 16));
  return 0;
}
