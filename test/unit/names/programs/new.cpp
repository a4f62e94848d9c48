// Heap blocks of C++ programs, named by what they were allocated as,
// and by the line where the program did it.
#include "say.h"
#include <vector>

struct Shape {
  virtual ~Shape() {}
  int corners = 0;
};
struct Square : Shape {
  Square(int side) : side(side) {}
  int side;
};
struct Plain {
  int a, b[3];
};
struct Owner {
  Plain *plain;
  ~Owner() { delete plain; }
};

template <typename T> T *makeArray(int count) {
  return new T[count]; // line 23
}

int main() {
  Plain *plain = new Plain; // line 27
  say(&plain->b[2], "`plain->b[2]` of the heap block of 16 bytes allocated at new.cpp:27");
  Plain *many = new Plain[4]; // line 29
  say(&many[3].b[1], "`many[3].b[1]` of the heap block of 64 bytes allocated at new.cpp:29");
  Shape *shape = new Square(3); // line 31
  say(&static_cast<Square *>(shape)->side,
      "`shape->side` of the heap block of 16 bytes allocated at new.cpp:31");
  Shape *shapes = new Shape[3]; // line 34
  say(&shapes[2].corners, "`shapes[2].corners` of the heap block of 56 bytes allocated at new.cpp:34");
  Owner owner{new Plain{1, {2}}}; // line 36
  say(&owner.plain->b[0], "`owner.plain->b[0]` of the heap block of 16 bytes allocated at new.cpp:36");
  long *numbers = makeArray<long>(6); // line 38
  say(&numbers[5], "`numbers[5]` of the heap block of 48 bytes allocated at new.cpp:38");
  std::vector<Plain> vector(3); // line 40
  say(&vector[2].b[2], "`block[2].b[2]` of the heap block of 48 bytes allocated at new.cpp:40");
  Plain *gone = new Plain; // line 42
  delete gone;             // line 43
  say(&gone->a, "`gone->a` of the heap block of 16 bytes allocated at new.cpp:42 and freed at new.cpp:43");
  finish();
}
