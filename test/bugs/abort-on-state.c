// A state machine that aborts on a state that it does not know, and one input leads there.
// expect: kind=abort line=fail
// args: aab
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>

enum state { START, LETTER, PAIR, DONE };

static enum state next(enum state state, char c) {
  switch (state) {
  case START:
    return c == 'a' ? LETTER : DONE;
  case LETTER:
    return c == 'a' ? state + 1 : DONE;
  case PAIR:
    return state + 2; // cause: state + 1
  case DONE:
    return DONE;
  }
  fprintf(stderr, "state %d\n", state);
  abort();
}

static const char *name_of(enum state state) {
  static const char *names[] = {"start", "letter", "pair", "done"};
  if (state > DONE)
    abort(); // fail
  return names[state];
}

int main(int argc, char **argv) {
  enum state state = START;
  for (const char *p = argc > 1 ? argv[1] : ""; *p; p++)
    state = next(state, *p);
  puts(name_of(state));
  return 0;
}
