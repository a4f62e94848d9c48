// The program of the execution suppression paper's figure 1, with its fifteen lines as they stand
// there. What is wrong: line 4 of the figure was copied from line 2 and still takes `x` where it
// should take `y`. So `p2` and `q2` point to the same int, and reading the fourth number overwrites
// the second. With a large one the program fails on line 12 of the figure.
//
// demo: culprit info copy-paste
// demo: echo 1 2 3 4000000 | culprit run -- ./copy-paste -> segmentation-fault, line 43
// demo: echo 1 2 3 4000000 | culprit run --count --output counts -- ./copy-paste
// demo: cat counts
#include <stdio.h>
#include <stdlib.h>

struct item {
  int f;
};

static int readInt(void) {
  int value = 0;
  if (scanf("%d", &value) != 1)
    exit(2);
  return value;
}

int main(void) {
  int *x = malloc(2 * sizeof(int));
  int *y = malloc(2 * sizeof(int));
  int *intArray = calloc(64, sizeof(int));
  struct item **structArray = calloc(64, sizeof(struct item *));
  static struct item first;
  structArray[2] = &first;

  int *p1 = &x[1];          // 1
  int *p2 = &x[0];          // 2
  int *q1 = &y[1];          // 3
  int *q2 = &x[0];          // 4: should be &y[0]
  *p1 = readInt();          // 5
  *p2 = readInt();          // 6
  *q1 = readInt();          // 7
  *q2 = readInt();          // 8
  int a = *p1 + *p2;        // 9
  int b = *q1 + *q2;        // 10
  int c = a + b + 1;        // 11
  intArray[c] = 0;          // 12
  structArray[*p2]->f = 0;  // 13
  free(p2);                 // 14
  free(q2);                 // 15
  return 0;
}
