// strncpy fills an eight-letter field to the brim, without a zero; the copy made from it later takes
// the next fields along and runs over the caller's pointer.
// expect: kind=segmentation-fault line=fail name=`owner->id`
// args: abcdefgh 1122334455667788
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <string.h>

struct record {
  char key[8];
  char value[17];
};

struct owner {
  int id;
};

static void set(struct record *record, const char *key, const char *value) {
  strncpy(record->key, key, sizeof record->key); // cause: no zero for eight letters
  snprintf(record->value, sizeof record->value, "%s", value);
}

static int print(const struct record *record, struct owner *first) {
  struct owner *owner = first;
  char key[9];
  strcpy(key, record->key); // first
  printf("%s %d\n", key, owner->id); // fail
  return key[0];
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  struct record record;
  struct owner root = {7};
  set(&record, argv[1], argv[2]);
  return print(&record, &root) == 0;
}
