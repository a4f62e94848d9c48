// A text that grows keeps a pointer to its end, which is not moved along when the text is: the next
// word is written over whoever has the old block.
// expect: kind=broken-heap line=fail
// cause: line=cause
// locate: line=moved
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
  char *start, *end, *limit;
};

static int start(struct text *text, size_t room) {
  text->start = malloc(room);
  text->end = text->start; // kept
  text->limit = text->start + room;
  return text->start != NULL;
}

static void *move(void *block, size_t size) {
  return block ? realloc(block, size) : malloc(size);
}

static int grow(struct text *text) {
  size_t room = (size_t)(text->limit - text->start);
  char *moved = move(text->start, room * 2); // moved
  if (!moved)
    return 0;
  text->limit = moved + room * 2; // cause: and text->end
  text->start = moved;
  return 1;
}

static int append(struct text *text, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(text->limit - text->end) <= length && !grow(text))
    return 0;
  memcpy(text->end, word, length);
  text->end += length;
  *text->end++ = ' ';
  return 1;
}

int main(void) {
  struct text text, other;
  if (!start(&text, 24) || !start(&other, 24))
    return 1;
  append(&other, "others");
  append(&text, "one");
  append(&text, "two");
  append(&text, "three and twenty");
  append(&text, "more than there was room for in the old one");
  printf("%.5s %.6s\n", text.start, other.start);
  free(text.start); // fail
  free(other.start);
  return 0;
}
