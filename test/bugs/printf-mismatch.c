// A message catalogue whose formats say %s where the caller passes a number.
// expect: kind=segmentation-fault line=fail
// args: 2 1234
// cause: line=cause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *formats[] = {
    "ok (%d)\n", "not found: %d\n",
    "no access to %s\n", // cause: %d
};

static int say(int number, ...) {
  va_list arguments;
  va_start(arguments, number);
  int length = vprintf(formats[number], arguments); // fail
  va_end(arguments);
  return length;
}

static void notice(int number, int code) {
  if (number >= 0 && number < 3)
    say(number, code);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  notice(atoi(argv[1]), atoi(argv[2]));
  return 0;
}
