// Binary trees as tsearch builds them, for other shims.
#ifndef CULPRIT_EXTERNALS_SHIMS_TREE_SEARCH_H
#define CULPRIT_EXTERNALS_SHIMS_TREE_SEARCH_H

namespace culprit {

using Compare = int (*)(const void *, const void *);

/// tsearch and tfind, which the program may have functions of its own for.
void *searchTree(const void *key, void **root, Compare compare);
void *findInTree(const void *key, void *const *root, Compare compare);

} // namespace culprit
#endif
