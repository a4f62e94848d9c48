// A file that the error path closes a second time.
// expect: kind=double-free line=fail
// cause: line=cause
// locate: line=cause
#include <stdio.h>

static int load(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  size_t length = fread(text, 1, size - 1, file);
  text[length] = 0;
  fclose(file); // cause: and again below
  if (text[0] != '#')
    goto bad;
  return 0;
bad:
  fclose(file); // fail
  return -1;
}

int main(void) {
  char text[200];
  printf("%d\n", load("/proc/self/comm", text, sizeof text));
  return 0;
}
