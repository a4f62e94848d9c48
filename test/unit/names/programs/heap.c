// Heap blocks of C programs, named by what they were allocated as.
#include "say.h"
#include <stdlib.h>
#include <string.h>
struct node {
  struct node *next;
  int value;
  char tag[4];
};
struct text {
  size_t length;
  char bytes[];
};

void *checkedMalloc(size_t size) {
  void *block = malloc(size);
  if (!block)
    abort();
  return block;
}

struct list {
  struct node *head;
  short *weights;
} list;
#define NODE "the heap block of 16 bytes allocated at heap.c:29"

int main(void) {
  struct node *node = malloc(sizeof *node); // line 29
  say(&node->next, "`node->next` of the heap block of 16 bytes allocated at heap.c:29");
  say(&node->tag[2], "`node->tag[2]` of the heap block of 16 bytes allocated at heap.c:29");
  say((char *)node + 16, "just past " NODE ", behind `node->tag[3]`");
  say((char *)node + 19, "3 bytes past " NODE ", behind `node->tag[3]`");
  say((char *)node - 8, "8 bytes before " NODE ", in front of `node->next`");

  list.weights = calloc(10, sizeof(short)); // line 36
  say(&list.weights[7], "`list.weights[7]` of the heap block of 20 bytes allocated at heap.c:36");
  struct node *nodes = checkedMalloc(3 * sizeof(struct node)); // line 38
  say(&nodes[2].value, "`nodes[2].value` of the heap block of 48 bytes allocated at heap.c:38");
  struct text *text = checkedMalloc(sizeof(struct text) + 20); // line 40
  say(&text->bytes[11], "`text->bytes[11]` of the heap block of 28 bytes allocated at heap.c:40");
  char *copy = malloc(12); // line 42
  say(copy + 5, "`copy[5]` of the heap block of 12 bytes allocated at heap.c:42");
  void *raw = malloc(40); // line 44
  say((char *)raw + 5, "byte 5 of the heap block of 40 bytes allocated at heap.c:44");
  node->next = malloc(sizeof *node); // line 46
  say(&node->next->value,
      "`node->next->value` of the heap block of 16 bytes allocated at heap.c:46");
  struct node **table = malloc(4 * sizeof *table); // line 49
  say(&table[3], "`table[3]` of the heap block of 32 bytes allocated at heap.c:49");
  int(*rows)[5] = malloc(3 * sizeof *rows); // line 51
  say(&rows[2][4], "`rows[2][4]` of the heap block of 60 bytes allocated at heap.c:51");
  struct node *gone = malloc(sizeof *gone); // line 53
  free(gone);                               // line 54
  say(&gone->value, "`gone->value` of the heap block of 16 bytes allocated at heap.c:53 and freed "
                    "at heap.c:54");
  memset(copy, 0, 12);
  finish();
  return 0;
}
