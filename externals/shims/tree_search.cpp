// tsearch and its kin: red-black trees whose nodes are heap blocks of the program's.
//
// The shape is glibc's, because twalk tells the depth of nodes: insertion splits nodes with two red
// successors on its way down, deletion moves the next node's key up. A node is red if the lowest
// bit of its left link is set, as in glibc, so that nodes have the same size.
#include "externals/shims/tree_search.h"

#include "externals/external.h"

#include <search.h>
#include <stdint.h>
#include <stdlib.h>

namespace culprit {
namespace {

struct Node {
  const void *key;
  uintptr_t leftAndColour;
  Node *right;
};

Node *leftOf(const Node *node) {
  return reinterpret_cast<Node *>( // NOLINT(performance-no-int-to-ptr)
      node->leftAndColour & ~uintptr_t{1});
}

void setLeft(Node *node, Node *left) {
  node->leftAndColour = reinterpret_cast<uintptr_t>(left) | (node->leftAndColour & 1);
}

/// Leaves that are not there count as black.
bool isRed(const Node *node) {
  return node && (node->leftAndColour & 1) != 0;
}

void setRed(Node *node, bool isRed) {
  node->leftAndColour = (node->leftAndColour & ~uintptr_t{1}) | (isRed ? 1 : 0);
}

/// Where a node hangs: at the root, or on a side of its parent.
struct Link {
  Node **root = nullptr; ///< null: a side of `parent`
  Node *parent = nullptr;
  bool isLeft = false;

  Node *get() const {
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): asked of links that are none by nobody
    return root ? *root : isLeft ? leftOf(parent) : parent->right;
  }
  void set(Node *node) const {
    if (root)
      *root = node;
    else if (isLeft)
      setLeft(parent, node);
    else
      parent->right = node;
  }
  bool isNone() const { return !root && !parent; }
};

Link sideOf(Node *parent, bool isLeft) {
  return {nullptr, parent, isLeft};
}

Node *child(const Node *node, bool isLeft) {
  return isLeft ? leftOf(node) : node->right;
}

void setChild(Node *node, bool isLeft, Node *to) {
  sideOf(node, isLeft).set(to);
}

/// Two red edges on different sides: the lowest node goes to the top.
void liftChild(Node *node, Node *parent, Node *grandparent, const Link &top, bool isLeft) {
  setRed(parent, true);
  setRed(grandparent, true);
  setRed(node, false);
  setChild(parent, isLeft, child(node, !isLeft));
  setChild(grandparent, !isLeft, child(node, isLeft));
  setChild(node, !isLeft, parent);
  setChild(node, isLeft, grandparent);
  top.set(node);
}

/// Two red edges on the same side: the middle node goes to the top.
void liftParent(Node *parent, Node *grandparent, const Link &top, bool isLeft) {
  top.set(parent);
  setRed(parent, false);
  setRed(grandparent, true);
  setChild(grandparent, isLeft, child(parent, !isLeft));
  setChild(parent, !isLeft, grandparent);
}

/// Splits a node with two red successors, or makes a new node part of its parent, and rotates where
/// that puts two red edges in a row. `isLeft` and `isParentLeft`: which sides node and parent are
/// on.
void split(const Link &at, const Link &above, const Link &top, bool isLeft, bool isParentLeft,
           bool isNew) {
  Node *node = at.get();
  Node *left = leftOf(node);
  Node *right = node->right;
  if (!isNew && (!isRed(left) || !isRed(right)))
    return;
  setRed(node, true);
  if (left)
    setRed(left, false);
  if (right)
    setRed(right, false);
  if (above.isNone() || !isRed(above.get()))
    return;
  Node *parent = above.get();
  Node *grandparent = top.get();
  if (isLeft != isParentLeft)
    liftChild(node, parent, grandparent, top, isLeft);
  else
    liftParent(parent, grandparent, top, isLeft);
}

/// The way from the root to a node.
class Path {
public:
  ~Path() { free(links_ == few_ ? nullptr : links_); }
  bool push(const Link &link) {
    if (count_ == room_ && !grow())
      return false;
    links_[count_++] = link;
    return true;
  }
  Link &top() { return links_[count_ - 1]; }
  void pop() { --count_; }
  bool isEmpty() const { return count_ == 0; }

private:
  /// A balanced tree of the deepest kind that fits into memory needs little more.
  bool grow() {
    auto *more = static_cast<Link *>(malloc(2 * room_ * sizeof(Link)));
    if (!more)
      return false;
    for (size_t i = 0; i < count_; ++i)
      more[i] = links_[i];
    free(links_ == few_ ? nullptr : links_);
    links_ = more;
    room_ *= 2;
    return true;
  }
  Link few_[64];
  Link *links_ = few_;
  size_t count_ = 0;
  size_t room_ = 64;
};

/// The brother of the node that lacks a black edge has a red successor: one rotation and it is
/// well.
void finishRotation(Node *parent, Node *brother, const Link &at, bool isLeft) {
  bool wasRed = isRed(parent);
  if (!isRed(child(brother, !isLeft))) {
    Node *middle = child(brother, isLeft);
    setRed(middle, wasRed);
    setChild(parent, !isLeft, child(middle, isLeft));
    setChild(brother, isLeft, child(middle, !isLeft));
    setChild(middle, !isLeft, brother);
    setChild(middle, isLeft, parent);
    at.set(middle);
    setRed(parent, false);
    return;
  }
  setRed(brother, wasRed);
  setRed(parent, false);
  setRed(child(brother, !isLeft), false);
  setChild(parent, !isLeft, child(brother, isLeft));
  setChild(brother, isLeft, parent);
  at.set(brother);
}

/// After a black node is gone whose place `node` (or nothing) has taken; `path` leads to its
/// parent.
void balance(Path &path, Node *node) {
  while (!path.isEmpty() && !isRed(node)) {
    Link at = path.top();
    Node *parent = at.get();
    bool isLeft = node == leftOf(parent);
    Node *brother = child(parent, !isLeft);
    if (isRed(brother)) {
      setRed(brother, false);
      setRed(parent, true);
      setChild(parent, !isLeft, child(brother, isLeft));
      setChild(brother, isLeft, parent);
      at.set(brother);
      at = sideOf(brother, isLeft);
      brother = child(parent, !isLeft);
      // The path is one longer now; its last link is not looked at again but as this one.
      if (isRed(leftOf(brother)) || isRed(brother->right)) {
        finishRotation(parent, brother, at, isLeft);
        return;
      }
      setRed(brother, true);
      setRed(parent, false);
      return;
    }
    if (isRed(leftOf(brother)) || isRed(brother->right)) {
      finishRotation(parent, brother, at, isLeft);
      return;
    }
    setRed(brother, true);
    node = parent;
    path.pop();
  }
  if (node)
    setRed(node, false);
}

template <typename Action> void walk(const Node *node, int level, const Action &action) {
  if (!leftOf(node) && !node->right) {
    action(node, leaf, level);
    return;
  }
  action(node, preorder, level);
  if (leftOf(node))
    walk(leftOf(node), level + 1, action);
  action(node, postorder, level);
  if (node->right)
    walk(node->right, level + 1, action);
  action(node, endorder, level);
}

void destroy(Node *node, void (*freeKey)(void *)) {
  if (leftOf(node))
    destroy(leftOf(node), freeKey);
  if (node->right)
    destroy(node->right, freeKey);
  freeKey(const_cast<void *>(node->key));
  free(node);
}

/// From the node to be deleted, whose way is in `path`, to the one that is taken out in its stead.
Node *successorOf(Node *node, const Link &at, Path &path) {
  if (!leftOf(node) || !node->right)
    return node;
  Link parent = at;
  Link up = sideOf(node, false);
  for (;;) {
    if (!path.push(parent))
      return nullptr;
    parent = up;
    if (!leftOf(up.get()))
      return up.get();
    up = sideOf(up.get(), true);
  }
}

} // namespace

void *searchTree(const void *key, void **root, Compare compare) {
  if (!root)
    return nullptr;
  Link at{reinterpret_cast<Node **>(root), nullptr, false};
  if (at.get())
    setRed(at.get(), false);
  Link above;
  Link top;
  bool isLeft = false;
  bool isParentLeft = false;
  bool wasLeft = false;
  Link next = at;
  while (next.get()) {
    Node *node = at.get();
    int order = compare(key, node->key);
    if (order == 0)
      return node;
    split(at, above, top, wasLeft, isParentLeft, false);
    isLeft = order < 0;
    next = sideOf(node, isLeft);
    if (!next.get())
      break;
    top = above;
    above = at;
    at = next;
    isParentLeft = wasLeft;
    wasLeft = isLeft;
  }
  auto *made = static_cast<Node *>(malloc(sizeof(Node)));
  if (!made)
    return nullptr;
  *made = {key, 0, nullptr};
  bool isRoot = next.root != nullptr;
  next.set(made);
  setRed(made, true);
  if (!isRoot)
    split(next, at, above, isLeft, wasLeft, true);
  return made;
}

void *findInTree(const void *key, void *const *root, Compare compare) {
  if (!root)
    return nullptr;
  for (Node *node = static_cast<Node *>(*root); node;) {
    int order = compare(key, node->key);
    if (order == 0)
      return node;
    node = child(node, order < 0);
  }
  return nullptr;
}

CULPRIT_EXTERNAL void *tsearch(const void *key, void **root, Compare compare) {
  return CULPRIT_CALLED_BY_PROGRAM ? searchTree(key, root, compare)
                                   : CULPRIT_NEXT(tsearch)(key, root, compare);
}

CULPRIT_EXTERNAL void *tfind(const void *key, void *const *root, Compare compare) {
  return findInTree(key, root, compare);
}

CULPRIT_EXTERNAL void *tdelete(const void *key, void **root, Compare compare) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(tdelete)(key, root, compare);
  if (!root || !*root)
    return nullptr;
  Path path;
  Link at{reinterpret_cast<Node **>(root), nullptr, false};
  Node *parent = at.get();
  for (int order; (order = compare(key, at.get()->key)) != 0;) {
    if (!path.push(at))
      return nullptr;
    parent = at.get();
    at = sideOf(parent, order < 0);
    if (!at.get())
      return nullptr;
  }
  Node *node = at.get();
  Node *gone = successorOf(node, at, path);
  if (!gone)
    return nullptr;
  Node *rest = leftOf(gone) ? leftOf(gone) : gone->right;
  if (path.isEmpty())
    *root = rest;
  else
    setChild(path.top().get(), gone != path.top().get()->right, rest);
  node->key = gone->key;
  if (!isRed(gone))
    balance(path, rest);
  free(gone);
  return parent; // NOLINT(clang-analyzer-unix.Malloc): as glibc, even if that was the root
}

CULPRIT_EXTERNAL void twalk(const void *root, void (*action)(const void *, VISIT, int)) {
  if (root && action)
    walk(static_cast<const Node *>(root), 0, action);
}

CULPRIT_EXTERNAL void twalk_r(const void *root, void (*action)(const void *, VISIT, void *),
                              void *closure) {
  if (root && action)
    walk(static_cast<const Node *>(root), 0,
         [&](const Node *node, VISIT visit, int) { action(node, visit, closure); });
}

CULPRIT_EXTERNAL void tdestroy(void *root, void (*freeKey)(void *)) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    CULPRIT_NEXT(tdestroy)(root, freeKey);
  else if (root)
    destroy(static_cast<Node *>(root), freeKey);
}

} // namespace culprit
