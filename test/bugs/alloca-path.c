// Joins folder, name and suffix in a block of alloca() that has no room for the suffix. What is behind
// the block is not used any more, so nothing happens.
// expect: kind=broken-guard line=end
// layout: {"guard": 16}
// args: fonts standard
// cause: line=cause
// locate: line=cause and=first
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int try_open(const char *folder, const char *name, const char *suffix) {
  char *path = alloca(strlen(folder) + strlen(name) + 2); // cause: + strlen(suffix)
  strcpy(path, folder);
  strcat(path, "/");
  strcat(path, name);
  strcat(path, suffix); // first
  return path[0] == '/'; // end
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  printf("%d\n", try_open(argv[1], argv[2], ".font-of-letters"));
  return 0;
}
