// Classes, bases, templates, statics and containers that live in globals.
#include "say.h"
#include <array>
#include <atomic>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct Point {
  int x, y;
};
struct Base {
  virtual ~Base() = default;
  int number = 1;
};
struct Other {
  double ratio = 0;
};
struct Derived : Base, Other {
  Point points[3];
  static int shared[4];
};
int Derived::shared[4];
template <typename T> struct Pair {
  T first, second;
};
namespace space {
Pair<Derived> pair;
namespace {
int hidden[2];
}
} // namespace space
struct Virtual : virtual Base {
  int own;
};

Derived derived;
std::array<Point, 4> corners;
std::atomic<int> ready;
std::vector<int> numbers;
std::vector<Derived> objects;
std::vector<std::vector<short>> rows;
std::vector<std::string> names;
std::string text, small;
std::map<int, Point> byNumber;
std::map<std::string, int> ages;
std::unordered_map<std::string, Point> byName;
std::set<long> members;
std::list<Point> queue;
std::deque<Point> both;
std::unique_ptr<Derived> owner;
std::shared_ptr<Point> shared;
std::unique_ptr<int[]> owned;
std::pair<int, Point> both2;
Virtual withVirtual;

int inlineStatic() {
  static Pair<int> memory;
  say(&memory.second, "`inlineStatic()::memory.second`");
  return memory.first;
}

struct Method {
  static int *count() {
    static int calls;
    return &calls;
  }
};

/// A heap block's name is followed by what the block is; only the start is compared for these.
#define HEAP(expression) say((const volatile void *)&(expression), "`" #expression "`*")

void sayObjects() {
  SAY(derived.number);
  SAY(derived.ratio);
  SAY(derived.points[2].y);
  say(&derived, "the virtual table pointer of `derived`");
  SAY(Derived::shared[3]);
  SAY(space::pair.second.points[1].x);
  say(&space::hidden[1], "`space::(anonymous namespace)::hidden[1]`");
  SAY(corners[3].y);
  SAY(ready);
  say(reinterpret_cast<char *>(&numbers) + 8, "`_M_finish` of `numbers`");
  SAY(small[3]);
  SAY(both2.second.y);
  SAY(withVirtual.own);
  say(Method::count(), "`Method::count()::calls`");
  inlineStatic();
}

void sayElements() {
  HEAP(numbers[3]);
  say(numbers.data() + 5, "`numbers[5]` (past its size 5)*");
  HEAP(objects[1].points[2].y);
  HEAP(rows[2][4]);
  HEAP(names[1]);
  HEAP(text[30]);
  HEAP(byNumber[-4].y);
  HEAP(ages["bob"]);
  HEAP(byName["a name that is too long for the small buffer"].y);
  say(&*members.find(7), "`*members.find(7)`*");
  say(&std::next(queue.begin(), 2)->y, "`std::next(queue.begin(), 2)->y`*");
  HEAP(both[70].y);
  HEAP(owner->points[1].x);
  HEAP(shared->y);
  HEAP(owned[6]);
}

int main() {
  for (int i = 0; i < 5; ++i)
    numbers.push_back(i);
  objects.resize(2);
  rows.assign(3, std::vector<short>(5));
  names = {"one", "two"};
  text.assign(40, 'x');
  small = "abcdef";
  for (int i = -5; i < 5; ++i)
    byNumber[i].x = i;
  ages = {{"alice", 1}, {"bob", 2}, {"carol", 3}};
  byName["a name that is too long for the small buffer"].x = 1;
  members = {1, 7, 9};
  queue = {{1, 2}, {3, 4}, {5, 6}};
  for (int i = 0; i < 100; ++i)
    both.push_back({i, i});
  owner = std::make_unique<Derived>();
  shared.reset(new Point);
  owned = std::make_unique<int[]>(10);
  sayObjects();
  sayElements();
  finish();
}
