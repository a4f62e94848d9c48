// Joins a path in a local buffer and returns that; it is compared after others have used the memory.
// expect: kind=abort line=fail
// cause: line=cause
// locate: line=address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *folder, const char *name) {
  char path[64]; // cause: static
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *result = path; // address
  return result;
}

static int checksum(int seed) {
  char bytes[200];
  memset(bytes, seed, sizeof bytes);
  int sum = 0;
  for (size_t i = 0; i < sizeof bytes; i++)
    sum += bytes[i];
  return sum;
}

int main(void) {
  const char *paths[2];
  paths[0] = join("usr", "lib");
  paths[1] = join("usr", "bin");
  int sum = checksum(7);
  if (strcmp(paths[1], "usr/bin") != 0)
    abort(); // fail
  printf("%s %d\n", paths[1], sum);
  return 0;
}
