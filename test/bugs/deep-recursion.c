// A tree printer that goes down to the same child again: the tree has become a ring.
// expect: kind=stack-exhausted line=fail
// cause: line=cause
#include <stdio.h>
#include <stdlib.h>

struct tree {
  int key;
  struct tree *left, *right;
};

static struct tree *make(int key, struct tree *left, struct tree *right) {
  struct tree *tree = malloc(sizeof *tree);
  if (!tree)
    abort();
  *tree = (struct tree){key, left, right};
  return tree;
}

static void graft(struct tree *into, struct tree *part) {
  if (into->right)
    graft(into->right, part);
  else
    into->right = part; // cause: part may hold into
}

static int depth(const struct tree *tree) { // fail
  if (!tree)                                // fail
    return 0;
  int left = depth(tree->left);   // fail
  int right = depth(tree->right); // fail
  return 1 + (left > right ? left : right);
}

int main(void) {
  struct tree *leaf = make(1, NULL, NULL);
  struct tree *root = make(2, leaf, make(3, NULL, NULL));
  graft(leaf, root);
  printf("%d\n", depth(root));
  return 0;
}
