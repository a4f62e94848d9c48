// A word counter with room for six words. The test for a full table comes one word too late, and
// the seventh entry lies where `longest` is.
// expect: kind=segmentation-fault line=fail name=`longest->count`
// args: one two three four five six wonderfully
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <string.h>

#define MOST 6

struct entry {
  char word[12];
  int count;
};

int used = 0;
struct entry table[MOST] = {{"", 0}};
struct entry *longest = NULL;

static struct entry *find(const char *word) {
  for (int i = 0; i < used; i++)
    if (strcmp(table[i].word, word) == 0)
      return &table[i];
  return NULL;
}

static void count(const char *word) {
  struct entry *entry = find(word);
  if (!entry) {
    if (used > MOST) // cause: should be >=
      return;
    entry = &table[used++];
    strncpy(entry->word, word, sizeof entry->word - 1); // first
  }
  entry->count++;
  if (!longest || strlen(word) > 12)
    longest = entry;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    count(argv[i]);
  printf("%d words\n", used);
  printf("the longest came %d times\n", longest->count); // fail
  return 0;
}
