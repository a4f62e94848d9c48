// Looks up a variable in a table and uses the entry without asking whether there is one.
// expect: kind=segmentation-fault line=fail name=`variable->value`
// args: width depth
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <string.h>

struct variable {
  const char *name;
  int value;
};

static struct variable variables[] = {{"width", 80}, {"height", 24}};

static struct variable *find(const char *name) {
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (strcmp(variables[i].name, name) == 0)
      return &variables[i];
  return NULL; // first
}

static int product(int count, char **names) {
  int result = 1;
  for (int i = 0; i < count; i++) {
    struct variable *variable = find(names[i]); // cause
    result *= variable->value;                  // fail
  }
  return result;
}

int main(int argc, char **argv) {
  printf("%d\n", product(argc - 1, argv + 1));
  return 0;
}
