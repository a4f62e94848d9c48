// Two accesses of one size in one expression, one of them through a null pointer.
// expect: kind=segmentation-fault line=fail name=`b->y`
// cause: line=cause
// locate: line=first
#include <stdio.h>

struct vector {
  double x, y;
};

static struct vector *find(int number) {
  static struct vector only;
  return number == 0 ? &only : NULL; // first
}

__attribute__((noinline)) static double area(const struct vector *a, const struct vector *b) {
  return a->y * b->y; // fail
}

int main(int argc, char **argv) {
  const struct vector *a = find(0);
  const struct vector *b = find(argc); // cause: may be null
  printf("%f\n", area(a, b));
  return 0;
}
