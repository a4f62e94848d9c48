// What std::map and std::set do with their nodes: red-black trees.
//
// The header node is the parent of the root and holds the first and the last node; an empty tree's
// header is its own left and right. Which nodes are rotated, and their colours, are those of any
// red-black tree in the form of Cormen et al., so that a tree can be changed here and in the shared
// library by turns.
#include <map>

namespace std {
namespace {

using Node = _Rb_tree_node_base;

bool isRed(const Node *node) {
  return node && node->_M_color == _S_red;
}

/// Where the tree points to `node`: from its parent, or from the header, which holds the root.
Node *&linkTo(Node *node, Node &header) {
  if (node == header._M_parent)
    return header._M_parent;
  return node == node->_M_parent->_M_left ? node->_M_parent->_M_left : node->_M_parent->_M_right;
}

/// Puts `child` in the place of `node`, which loses it. `side` is the one that the child is on, and
/// `other` the opposite one.
void rotate(Node *node, Node *Node::*side, Node *Node::*other, Node &header) {
  Node *child = node->*side;
  Node *moved = child->*other;
  Node *&link = linkTo(node, header);
  node->*side = moved;
  if (moved)
    moved->_M_parent = node;
  child->_M_parent = node->_M_parent;
  link = child;
  child->*other = node;
  node->_M_parent = child;
}

void balanceInserted(Node *node, Node &header) {
  while (node != header._M_parent && isRed(node->_M_parent)) {
    Node *parent = node->_M_parent;
    Node *grand = parent->_M_parent;
    bool isLeft = parent == grand->_M_left;
    Node *Node::*near = isLeft ? &Node::_M_left : &Node::_M_right;
    Node *Node::*far = isLeft ? &Node::_M_right : &Node::_M_left;
    if (Node *uncle = grand->*far; isRed(uncle)) {
      parent->_M_color = _S_black;
      uncle->_M_color = _S_black;
      grand->_M_color = _S_red;
      node = grand;
      continue;
    }
    if (node == parent->*far) {
      node = parent;
      rotate(node, far, near, header);
    }
    node->_M_parent->_M_color = _S_black;
    grand->_M_color = _S_red;
    rotate(grand, near, far, header);
  }
  header._M_parent->_M_color = _S_black;
}

/// `node`, which may be null, is one black node short; `parent` is its parent.
void balanceErased(Node *node, Node *parent, Node &header) {
  while (node != header._M_parent && !isRed(node)) {
    bool isLeft = node == parent->_M_left;
    Node *Node::*near = isLeft ? &Node::_M_left : &Node::_M_right;
    Node *Node::*far = isLeft ? &Node::_M_right : &Node::_M_left;
    Node *sibling = parent->*far;
    if (isRed(sibling)) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      rotate(parent, far, near, header);
      sibling = parent->*far;
    }
    if (!isRed(sibling->*near) && !isRed(sibling->*far)) {
      sibling->_M_color = _S_red;
      node = parent;
      parent = parent->_M_parent;
      continue;
    }
    if (!isRed(sibling->*far)) {
      (sibling->*near)->_M_color = _S_black;
      sibling->_M_color = _S_red;
      rotate(sibling, near, far, header);
      sibling = parent->*far;
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    if (sibling->*far)
      (sibling->*far)->_M_color = _S_black;
    rotate(parent, far, near, header);
    break;
  }
  if (node)
    node->_M_color = _S_black;
}

/// Takes `next`, the node that follows `node` and has no left child, into the place of `node`,
/// which has both. What `next` leaves behind is one node short under `parent`.
void takePlace(Node *next, Node *node, Node *&parent, Node &header) {
  Node *child = next->_M_right;
  node->_M_left->_M_parent = next;
  next->_M_left = node->_M_left;
  parent = next;
  if (next != node->_M_right) {
    parent = next->_M_parent;
    if (child)
      child->_M_parent = parent;
    parent->_M_left = child;
    next->_M_right = node->_M_right;
    node->_M_right->_M_parent = next;
  }
  linkTo(node, header) = next;
  next->_M_parent = node->_M_parent;
  swap(next->_M_color, node->_M_color);
}

Node *following(Node *node) {
  if (node->_M_right)
    return Node::_S_minimum(node->_M_right);
  Node *parent = node->_M_parent;
  while (node == parent->_M_right) {
    node = parent;
    parent = parent->_M_parent;
  }
  // The header of a tree whose root has no right child is its own successor's parent.
  return node->_M_right == parent ? node : parent;
}

Node *preceding(Node *node) {
  bool isHeader = node->_M_color == _S_red && node->_M_parent->_M_parent == node;
  if (isHeader)
    return node->_M_right;
  if (node->_M_left)
    return Node::_S_maximum(node->_M_left);
  Node *parent = node->_M_parent;
  while (node == parent->_M_left) {
    node = parent;
    parent = parent->_M_parent;
  }
  return parent;
}

} // namespace

Node *_Rb_tree_increment(Node *node) throw() {
  return following(node);
}

const Node *_Rb_tree_increment(const Node *node) throw() {
  return following(const_cast<Node *>(node));
}

Node *_Rb_tree_decrement(Node *node) throw() {
  return preceding(node);
}

const Node *_Rb_tree_decrement(const Node *node) throw() {
  return preceding(const_cast<Node *>(node));
}

void _Rb_tree_insert_and_rebalance(const bool isLeft, Node *node, Node *parent,
                                   Node &header) throw() {
  node->_M_parent = parent;
  node->_M_left = nullptr;
  node->_M_right = nullptr;
  node->_M_color = _S_red;
  // The header is a parent without order: what is put into an empty tree is left of it.
  if (isLeft) {
    parent->_M_left = node;
    if (parent == &header) {
      header._M_parent = node;
      header._M_right = node;
    } else if (parent == header._M_left) {
      header._M_left = node;
    }
  } else {
    parent->_M_right = node;
    if (parent == header._M_right)
      header._M_right = node;
  }
  balanceInserted(node, header);
}

Node *_Rb_tree_rebalance_for_erase(Node *const node, Node &header) throw() {
  Node *child = nullptr;
  Node *parent = nullptr;
  if (node->_M_left && node->_M_right) {
    Node *next = Node::_S_minimum(node->_M_right);
    child = next->_M_right;
    takePlace(next, node, parent, header);
  } else {
    child = node->_M_left ? node->_M_left : node->_M_right;
    parent = node->_M_parent;
    if (child)
      child->_M_parent = parent;
    Node *&link = linkTo(node, header);
    if (header._M_left == node)
      header._M_left = node->_M_right ? Node::_S_minimum(child) : parent;
    if (header._M_right == node)
      header._M_right = node->_M_left ? Node::_S_maximum(child) : parent;
    link = child;
  }
  if (node->_M_color != _S_red)
    balanceErased(child, parent, header);
  return node;
}

} // namespace std
