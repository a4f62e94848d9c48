// The last node's link is never set; fresh memory is filled, so the list does not end by luck.
// expect: kind=segmentation-fault line=fail name=`node->key`
// layout: {"fill": {"fresh": 170}}
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>

struct node {
  int key;
  struct node *next;
};

struct list {
  struct node *first, *last;
};

static void append(struct list *list, int key) {
  struct node *node = malloc(sizeof *node); // cause: next is not set
  if (!node)
    abort();
  node->key = key;
  if (list->last)
    list->last->next = node;
  else
    list->first = node;
  list->last = node;
}

static struct node *find(const struct list *list, int key) {
  struct node *node = list->first;
  while (node && node->key != key) // fail
    node = node->next;
  return node;
}

int main(void) {
  struct list list = {NULL, NULL};
  for (int i = 1; i <= 3; i++)
    append(&list, i * i);
  printf("%d\n", find(&list, 4)->key);
  printf("%d\n", find(&list, 5) != NULL);
  return 0;
}
