// A list forgets to move its end when the last node is taken out; what is appended next is linked
// to a node that is somebody else's memory by now.
// expect: kind=abort line=fail
// cause: line=cause
// locate: line=second and=free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *before, *after;
  int number;
};

struct list {
  struct node *first, *last;
};

static struct node *append(struct list *list, int number) {
  struct node *node = calloc(1, sizeof *node);
  node->number = number;
  node->before = list->last;
  if (list->last)
    list->last->after = node;
  else
    list->first = node;
  list->last = node; // second
  return node;
}

static void drop(struct list *list, struct node *node) {
  if (node->before)
    node->before->after = node->after;
  else
    list->first = node->after;
  if (node->after) // cause: else list->last = node->before
    node->after->before = node->before;
  free(node); // free
}

int main(void) {
  struct list list = {0};
  struct node *nodes[5];
  for (int i = 0; i < 5; i++)
    nodes[i] = append(&list, i);
  drop(&list, nodes[4]);
  char *text = malloc(sizeof(struct node));
  memset(text, 'Q', sizeof(struct node));
  append(&list, 7);
  if (text[8] != 'Q')
    abort(); // fail
  printf("%d\n", list.last->number);
  return 0;
}
