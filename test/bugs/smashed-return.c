// A greeting is put together in a buffer of 24 bytes; a long name runs over the return address.
// expect: kind=broken-return line=fail name=the return address of `greet`
// args: Wolfeschlegelsteinhausenbergerdorff-the-third
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <string.h>

static int shout(char *text) {
  int changed = 0;
  for (; *text; text++)
    if (*text >= 'a' && *text <= 'z') {
      *text -= 'a' - 'A';
      changed++;
    }
  return changed;
}

__attribute__((noinline)) static int greet(const char *name) {
  char line[24];
  strcpy(line, "hello, ");
  strcat(line, name); // cause
  int changed = shout(line);
  puts(line);
  return changed; // fail
}

int main(int argc, char **argv) {
  int changed = 0;
  for (int i = 1; i < argc; i++)
    changed += greet(argv[i]);
  printf("%d letters changed\n", changed);
  return 0;
}
