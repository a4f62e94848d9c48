// A histogram of bytes, indexed by plain char: bytes above 127 count before the table, where a
// pointer is.
// expect: kind=segmentation-fault line=fail name=`*s->output`
// args: 'caf\xff'
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <string.h>

struct state {
  int *output;
  int histogram[128];
};

static int sum;
struct state state = {&sum, {0}};

static void count(struct state *s, const char *text) {
  for (; *text; text++)
    s->histogram[(signed char)*text]++; // cause
}

static void finish(struct state *s) {
  int total = 0;
  for (int i = 0; i < 128; i++)
    total += s->histogram[i];
  *s->output = total; // fail
}

int main(int argc, char **argv) {
  char text[64];
  snprintf(text, sizeof text, "%s", argc > 1 ? argv[1] : "plain");
  for (int i = 0; i < 100000; i++)
    count(&state, text);
  finish(&state);
  printf("%d\n", sum);
  return 0;
}
