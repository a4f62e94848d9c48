// KEY=VALUE lines; a line without '=' makes strtok give NULL, which strlen does not take.
// expect: kind=segmentation-fault line=fail
// args: name=value verbose
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char *key, *value;
};

static struct pair split(char *line) {
  struct pair pair;
  pair.key = strtok(line, "=");
  pair.value = strtok(NULL, "="); // cause: may be NULL
  return pair;
}

static size_t width(const struct pair *pair) {
  size_t result = strlen(pair->key) + 1;
  result += strlen(pair->value); // fail
  return result;
}

int main(int argc, char **argv) {
  size_t widest = 0;
  for (int i = 1; i < argc; i++) {
    char *line = strdup(argv[i]);
    struct pair pair = split(line);
    size_t own = width(&pair);
    widest = own > widest ? own : widest;
    free(line);
  }
  printf("%zu\n", widest);
  return 0;
}
