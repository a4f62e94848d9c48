// A table of words finds the place for a new one, and then grows: the place is in the old table,
// which was all zeroes, as calloc() has left it.
// expect: kind=segmentation-fault line=fail
// args: one two three four five six
// layout: {"heap": {"fence": true}}
// cause: line=cause
// locate: line=freed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
  struct word *next;
  const char *text;
};

struct table {
  struct word **slots;
  unsigned size, count;
};

static unsigned hash(const char *text) {
  unsigned sum = 5381;
  while (*text)
    sum = sum * 33 + (unsigned char)*text++;
  return sum;
}

static void grow(struct table *table) {
  unsigned size = table->size * 2;
  struct word **slots = calloc(size, sizeof *slots);
  for (unsigned i = 0; i < table->size; i++)
    for (struct word *word = table->slots[i], *next; word; word = next) {
      next = word->next;
      struct word **slot = &slots[hash(word->text) % size];
      word->next = *slot;
      *slot = word;
    }
  free(table->slots); // freed
  table->slots = slots;
  table->size = size;
}

static void add(struct table *table, const char *text) {
  struct word **slot = &table->slots[hash(text) % table->size]; // cause: before it grows
  if (++table->count > table->size)
    grow(table);
  struct word *word = malloc(sizeof *word);
  word->text = text;
  word->next = *slot; // fail
  *slot = word;
}

int main(int argc, char **argv) {
  struct table table = {calloc(4, sizeof(struct word *)), 4, 0};
  for (int i = 1; i < argc; i++)
    add(&table, argv[i]);
  for (unsigned i = 0; i < table.size; i++)
    for (struct word *word = table.slots[i]; word; word = word->next)
      printf("%s\n", word->text);
  return 0;
}
