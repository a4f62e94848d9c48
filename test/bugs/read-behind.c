// Looks for a unit behind the last one, too; the allocator's rounding has left zeroes there, or what
// belongs to somebody else.
// expect: kind=segmentation-fault line=fail
// cause: line=cause
// locate: line=fail
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
  const char *name;
  int size;
};

static struct unit *units;
static int count;

static void add(const char *name, int size) {
  units = realloc(units, (size_t)(count + 1) * sizeof *units);
  if (!units)
    abort();
  units[count].name = name;
  units[count].size = size;
  count++;
}

static struct unit *find(const char *name) {
  for (int i = 0; i <= count; i++) // cause: i < count
    if (strcmp(units[i].name, name) == 0) // fail
      return &units[i];
  return NULL;
}

int main(int argc, char **argv) {
  add("foot", 12);
  add("inch", 1);
  add("yard", 36);
  char *text = malloc(24);
  if (!text)
    return 1;
  strcpy(text, "how long is a mile?");
  struct unit *unit = find(argc > 1 ? argv[1] : "mile");
  printf("%s %d\n", text, unit ? unit->size : 0);
  free(text);
  free(units);
  return 0;
}
