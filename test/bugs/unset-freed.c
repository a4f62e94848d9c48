// An entry is a text that it owns or a number; the text of a number is never set, and what the
// stack holds there is somebody else's.
// expect: kind=segmentation-fault line=fail
// layout: {"heap": {"fence": true}}
// cause: line=cause
// locate: line=made
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *text;
  long number;
  char marks[16];
};

static long sum;

static void set_number(struct entry *entry, long number) {
  entry->number = number; // cause: and the text
  entry->marks[number] = '#';
}

static void borrow_text(struct entry *entry, char *text) {
  entry->text = text;
  entry->number = (long)strlen(text);
  entry->marks[entry->number] = '#';
}

static void add(const struct entry *entry) {
  sum += entry->number;
}

static void clear(struct entry *entry) {
  if (entry->text)
    free(entry->text);
}

static void add_length(char *text) {
  struct entry entry;
  borrow_text(&entry, text);
  add(&entry);
}

static void add_number(long number) {
  struct entry entry; // made
  set_number(&entry, number);
  add(&entry);
  clear(&entry);
}

int main(void) {
  char *title = malloc(16);
  if (!title)
    return 2;
  strcpy(title, "numbers");
  add_length(title);
  add_number(4);
  printf("%c %ld\n", title[0], sum); // fail
  return 0;
}
