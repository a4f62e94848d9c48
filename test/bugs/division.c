// The average of a column that may be empty.
// expect: kind=arithmetic-error line=fail
// args: 3 4 - 5
// cause: line=cause
// locate: line=set
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct column {
  int sum, count;
};

static void add(struct column *column, const char *text) {
  column->sum += atoi(text);
  column->count++;
}

static int average(const struct column *column) {
  return column->sum / column->count; // fail
}

int main(int argc, char **argv) {
  struct column columns[4];
  memset(columns, 0, sizeof columns); // set
  int current = 0;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "-") == 0)
      current = (current + 1) % 4;
    else
      add(&columns[current], argv[i]);
  for (int i = 0; i < 4; i++) // cause: up to current
    printf("%d\n", average(&columns[i]));
  return 0;
}
