// A hash table with open addressing: looking for a key that is not there never ends once the table
// is full.
// expect: kind=timeout line=fail
// args: a b c d e f g h
// timeout: 1
// cause: line=cause
#include <stdio.h>
#include <string.h>

#define SIZE 8

struct slot {
  const char *key;
  int count;
};

static struct slot table[SIZE];

static unsigned hash(const char *key) {
  unsigned value = 5381;
  while (*key)
    value = value * 33 + (unsigned char)*key++;
  return value % SIZE;
}

static struct slot *find(const char *key) {
  unsigned at = hash(key);
  while (table[at].key && strcmp(table[at].key, key) != 0) // cause: or all were seen, fail
    at = (at + 1) % SIZE;                                  // fail
  return &table[at];
}

static void count(const char *key) {
  struct slot *slot = find(key);
  slot->key = key;
  slot->count++;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    count(argv[i]);
  printf("%d\n", find("missing")->count);
  return 0;
}
