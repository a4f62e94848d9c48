// A cache of three entries, as a table to look them up and a list by age. The oldest is freed when
// another one comes, but stays in the table.
// expect: kind=segmentation-fault line=fail name=`table[1]->key`
// layout: {"heap": {"fence": true}}
// cause: line=cause
// locate: line=second and=cause
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 8
#define MOST 3

struct entry {
  int key;
  char *value;
  struct entry *newer, *older;
};

static struct entry *table[SLOTS];
static struct entry *newest, *oldest;
static int count;

static void take_out(struct entry *entry) {
  if (entry->newer)
    entry->newer->older = entry->older;
  else
    newest = entry->older;
  if (entry->older)
    entry->older->newer = entry->newer;
  else
    oldest = entry->newer;
}

static void put_first(struct entry *entry) {
  entry->newer = NULL;
  entry->older = newest;
  if (newest)
    newest->newer = entry;
  else
    oldest = entry; // second
  newest = entry;
}

static void evict(void) {
  struct entry *entry = oldest;
  take_out(entry);
  free(entry->value);
  free(entry); // cause: not taken out of the table
  count--;
}

static const char *get(int key) {
  struct entry *entry = table[key % SLOTS];
  if (entry && entry->key == key) { // fail
    take_out(entry);
    put_first(entry);
    return entry->value;
  }
  if (count == MOST)
    evict();
  entry = malloc(sizeof *entry);
  entry->key = key;
  entry->value = malloc(32);
  snprintf(entry->value, 32, "value %d", key);
  table[key % SLOTS] = entry;
  put_first(entry);
  count++;
  return entry->value;
}

int main(void) {
  const int keys[] = {1, 2, 3, 4, 5, 1, 2, 7, 9, 4, 1, 3};
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
    printf("%s\n", get(keys[i]));
  return 0;
}
