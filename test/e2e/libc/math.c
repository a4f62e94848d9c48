// Functions of math.h: ordinary values, the ends of their domains, infinities and NaN, with errno.
#include "libc.h"
#include <math.h>
#include <time.h>

static const double values[] = {0.0, -0.0, 0.5, -1.0, 1.0, 2.75, -3.5, 1e-310, 1e22, 710.0, -800.0, INFINITY, -INFINITY, NAN};
#define COUNT (sizeof values / sizeof *values)

/* NaN has a sign that the instruction set chooses. */
static void show(const char *name, double x, long double value) {
  if (value != value)
    printf("%s(%a): nan errno %d\n", name, x, errno);
  else
    printf("%s(%a): %La errno %d\n", name, x, value, errno);
  errno = 0;
}
#define OF_ONE(function) \
  for (size_t i = 0; i < COUNT; ++i) \
  show(#function, values[i], CALL(function)(values[i]))
#define OF_TWO(function) \
  for (size_t i = 0; i < COUNT * COUNT; ++i) \
  show(#function, values[i % COUNT], CALL(function)(values[i % COUNT], values[i / COUNT]))

static void angles(void) {
  OF_ONE(sin); OF_ONE(cos); OF_ONE(tan); OF_ONE(asin); OF_ONE(acos); OF_ONE(atan); OF_TWO(atan2);
  OF_ONE(sinh); OF_ONE(cosh); OF_ONE(tanh); OF_ONE(asinh); OF_ONE(acosh); OF_ONE(atanh);
}

static void powers(void) {
  OF_ONE(exp); OF_ONE(log); OF_ONE(log2); OF_ONE(log10); OF_ONE(sqrt); OF_TWO(pow); OF_TWO(fmod);
}

static void parts(void) {
  OF_ONE(floor); OF_ONE(ceil); OF_ONE(trunc); OF_ONE(floorl); OF_ONE(fabs);
  for (size_t i = 0; i < COUNT; ++i) {
    int exponent = 0;
    double whole = 0;
    show("frexp", values[i], CALL(frexp)(values[i], &exponent));
    if (values[i] - values[i] == 0) NUMBER(exponent);
    show("modf", values[i], CALL(modf)(values[i], &whole)); show("whole", values[i], whole);
    show("ldexp", values[i], CALL(ldexp)(values[i], 3)); show("ldexp", values[i], CALL(ldexp)(values[i], 5000));
  }
  REAL(CALL(difftime)(100, 40)); REAL(CALL(difftime)(-5, 1));
}

int main(void) {
  angles();
  powers();
  parts();
  return 0;
}
