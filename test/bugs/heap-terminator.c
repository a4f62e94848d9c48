// A list of strings, each in a block that has no room for its zero; the zero lands in the header of
// the block behind it.
// expect: kind=broken-heap line=fail name=just past the heap block of 24 bytes allocated at @alloc
// args: exactly-twenty-four-char short
// cause: line=cause
// locate: line=alloc and=second
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
  char *text;
  struct list *next;
};

static void *checked(void *block) {
  return block ? block : (abort(), NULL);
}
static void *xmalloc(size_t size) {
  return checked(malloc(size));
}

static struct list *push(struct list *head, const char *text) {
  size_t length = strlen(text); // cause: + 1
  char *own = xmalloc(length);  // alloc
  struct list *node = xmalloc(sizeof *node);
  node->text = strcpy(own, text); // second
  node->next = head;
  return node;
}

static void clear(struct list *head) {
  while (head) {
    struct list *next = head->next;
    free(head->text); // fail
    free(head);
    head = next;
  }
}

int main(int argc, char **argv) {
  struct list *first = push(NULL, argc > 1 ? argv[1] : "one");
  struct list *second = push(first, argc > 2 ? argv[2] : "two");
  printf("%s %s\n", first->text, second->text);
  clear(second);
  return 0;
}
