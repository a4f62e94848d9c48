// What std::list does with its nodes: a ring through the list itself.
#include <list>

namespace std::__detail {

namespace {

void join(_List_node_base *before, _List_node_base *after) {
  before->_M_next = after;
  after->_M_prev = before;
}

/// Makes `to` the head of the ring that `from` was the head of.
void takeOver(_List_node_base &to, const _List_node_base &from) {
  to._M_next = from._M_next;
  to._M_prev = from._M_prev;
  to._M_next->_M_prev = &to;
  to._M_prev->_M_next = &to;
}

} // namespace

void _List_node_base::_M_hook(_List_node_base *const position) noexcept {
  _List_node_base *before = position->_M_prev;
  join(this, position);
  join(before, this);
}

void _List_node_base::_M_unhook() noexcept {
  join(_M_prev, _M_next);
}

void _List_node_base::_M_transfer(_List_node_base *const first,
                                  _List_node_base *const last) noexcept {
  if (this == last)
    return;
  _List_node_base *beforeFirst = first->_M_prev;
  _List_node_base *end = last->_M_prev;
  _List_node_base *before = _M_prev;
  join(beforeFirst, last);
  join(before, first);
  join(end, this);
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base *node = this;
  do {
    _List_node_base *next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}

void _List_node_base::swap(_List_node_base &a, _List_node_base &b) noexcept {
  bool isEmptyA = a._M_next == &a;
  bool isEmptyB = b._M_next == &b;
  _List_node_base ringOfA = a;
  if (isEmptyB)
    join(&a, &a);
  else
    takeOver(a, b);
  if (isEmptyA)
    join(&b, &b);
  else
    takeOver(b, ringOfA);
}

} // namespace std::__detail
