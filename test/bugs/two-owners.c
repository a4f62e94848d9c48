// A document and its index both believe that the text is theirs.
// expect: kind=double-free line=fail name=the heap block of 32 bytes allocated at @alloc and freed at @freed
// cause: line=cause
// locate: line=cause and=freed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct document {
  char *text;
};

struct entry {
  char *key;
  struct document *document;
};

static struct document *open_document(const char *text) {
  struct document *document = malloc(sizeof *document);
  document->text = malloc(32); // alloc
  snprintf(document->text, 32, "%s", text);
  return document;
}

static struct entry *index_of(struct document *document) {
  struct entry *entry = malloc(sizeof *entry);
  entry->key = document->text; // cause: a copy
  entry->document = document;
  return entry;
}

static void close_document(struct document *document) {
  free(document->text); // fail
  free(document);
}

static void drop(struct entry *entry) {
  free(entry->key); // freed
  free(entry);
}

int main(void) {
  struct document *document = open_document("one two three");
  struct entry *entry = index_of(document);
  printf("%s\n", entry->key);
  drop(entry);
  close_document(document);
  return 0;
}
