// A tree of elements is cleaned: styles are discarded, and then asked whether they are paragraphs.
// expect: kind=segmentation-fault line=fail
// layout: {"heap": {"fence": true}}
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  const char *tag;
  struct node *parent, *next, *content;
};

static struct node *add(struct node *parent, const char *tag) {
  struct node *made = calloc(1, sizeof *made);
  if (!made)
    abort();
  made->tag = tag;
  made->parent = parent;
  if (parent) {
    made->next = parent->content;
    parent->content = made;
  }
  return made;
}

static void release(struct node *node) {
  while (node) {
    struct node *next = node->next;
    release(node->content);
    free(node);
    node = next;
  }
}

static void take_out(struct node **place, struct node *node) {
  struct node **link = &node->parent->content;
  while (*link != node)
    link = &(*link)->next;
  *link = *place = node->next;
}

static void discard(struct node **place, struct node *node) {
  take_out(place, node);
  node->next = NULL;
  release(node);
}

static void clean(struct node *node) {
  struct node *next;
  for (struct node *child = node->content; child; child = next) {
    next = child->next;
    if (strcmp(child->tag, "style") == 0)                // cause: else, below
      discard(&next, child);                             // first
    if (strcmp(child->tag, "p") == 0 && !child->content) // fail
      discard(&next, child);
    else
      clean(child);
  }
}

int main(void) {
  struct node *root = add(NULL, "html");
  struct node *body = add(root, "body");
  add(add(body, "p"), "b");
  add(body, "style");
  add(body, "p");
  clean(root);
  printf("%s\n", root->content->content->tag);
  release(root);
  return 0;
}
