// Running averages in a variable-length array, with no room for the three zeros that end it; they
// run over the local behind it.
// expect: kind=segmentation-fault line=fail name=`unit[0]`
// args: 4 8 15 16 23 42
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <stdlib.h>

static void store(double *out, int count, char **words) {
  for (int i = 0; i < count; i++)
    out[i] = atof(words[i]);
  for (int i = 0; i < 3; i++)
    out[count + i] = -1.0; // first
}

static int count_of(const double *values) {
  int count = 0;
  while (values[count] >= 0)
    count++;
  return count;
}

static int print(int count, char **words) {
  double values[count]; // cause: + 3
  const char *unit = "mm";
  store(values, count, words);
  if (unit[0] == 0) // fail
    unit = "pieces";
  printf("%d %s, the first %g\n", count_of(values), unit, values[0]);
  return count;
}

int main(int argc, char **argv) {
  return argc > 2 ? print(argc - 1, argv + 1) == 0 : 2;
}
