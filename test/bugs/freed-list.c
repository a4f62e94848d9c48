// Frees a list of names and takes the next pointer from the node that was just freed.
// expect: kind=segmentation-fault line=fail name=`node->name`
// layout: {"fill": {"freed": 221}}
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  char *name;
  struct node *next;
};

static struct node *push(struct node *head, const char *name) {
  struct node *node = malloc(sizeof *node);
  if (!node)
    abort();
  node->name = strdup(name);
  node->next = head;
  return node;
}

static size_t letters(const struct node *head) {
  size_t result = 0;
  for (const struct node *node = head; node; node = node->next)
    result += strlen(node->name);
  return result;
}

static void clear(struct node *head) {
  for (struct node *node = head; node; node = node->next) { // cause
    free(node->name);                                       // fail
    free(node); // first
  }
}

int main(void) {
  struct node *head = NULL;
  head = push(head, "Ann");
  head = push(head, "Bob");
  printf("%zu letters\n", letters(head));
  clear(head);
  return 0;
}
