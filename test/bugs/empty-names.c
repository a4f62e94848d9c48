// A name begins without memory and gets some with its first letter, but for a test that is off by
// one: every name fails, not one of them.
// expect: kind=segmentation-fault line=fail
// cause: line=cause
// locate: line=made
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
  char *letters;
  int length, room;
};

static void start(struct name *name) {
  memset(name, 0, sizeof *name); // made
}

static void add(struct name *name, int letter) {
  int length = name->length + 1;
  if (length > name->room + 1) { // cause: no + 1
    name->room = length < 8 ? 8 : length * 2;
    name->letters = realloc(name->letters, (size_t)name->room);
    if (!name->letters)
      abort();
  }
  name->letters[length - 1] = (char)letter; // fail
  name->length = length;
}

static int count(const char *line) {
  int names = 0;
  while (*line) {
    struct name name;
    start(&name);
    for (; *line && *line != ':'; line++)
      add(&name, *line);
    add(&name, 0);
    printf("%s\n", name.letters);
    free(name.letters);
    names++;
    if (*line)
      line++;
  }
  return names;
}

int main(void) {
  int names = count("usr:bin:lib:share:local:include:src:sbin:games:etc:tmp:var:dev:home");
  printf("%d names\n", names);
  return 0;
}
