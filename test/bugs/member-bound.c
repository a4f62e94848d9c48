// A name that is too long runs over the number of values behind it; adding them up runs out of the
// heap.
// expect: kind=segmentation-fault line=fail
// args: "longer name"
// cause: line=cause
// locate: line=store
#include <stdio.h>
#include <stdlib.h>

struct record {
  char name[8];
  unsigned count;
  int *values;
};

static struct record *make(unsigned count) {
  struct record *record = calloc(1, sizeof *record);
  record->count = count;
  record->values = calloc(count, sizeof *record->values);
  for (unsigned i = 0; i < count; i++)
    record->values[i] = (int)i;
  return record;
}

static void set_name(struct record *record, const char *text) {
  size_t length = 0;
  for (; text[length]; length++)         // cause: up to 7
    record->name[length] = text[length]; // store
  record->name[length] = 0;
}

static long sum(const struct record *record) {
  long result = 0;
  for (unsigned i = 0; i < record->count; i++)
    result += record->values[i]; // fail
  return result;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  struct record *record = make(5);
  set_name(record, argv[1]);
  printf("%ld\n", sum(record));
  return 0;
}
