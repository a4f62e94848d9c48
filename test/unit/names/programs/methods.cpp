// C++ accesses and, behind each, the expressions that they are written as.
#include <array>
#include <memory>
#include <vector>
struct Base {
  int number;
};
struct Derived : Base {
  int items[3];
  Derived *next;
  __attribute__((used)) int set(int i) {
    items[i] = number;             // this->number; this->items[i]
    return next->items[i];         // ?
  }
};
template <typename T> struct Holder {
  T *data;
  T &at(int i) { return data[i]; } // this->data
  T *get() { return data; }        // this->data
};

int use(Derived &d, std::vector<Derived> &v, Holder<Derived> &h, int i) {
  d.number = 1;                    // d.number
  d.next->number = 2;              // d.next; d.next->number
  v[i].items[2] = 3;               // v[i].items[2]
  h.at(i).number = 4;              // h.at(i).number
  int &alias = d.items[i];
  alias = 5;                       // alias
  auto lambda = [&](int k) {
    d.items[k] = 6;                // d; d.items[k]
  };
  lambda(1);
  h.get();
  return v.front().next->number;   // v.front().next; v.front().next->number
}

struct Shape {
  virtual ~Shape() = default;
  virtual int sides() const { return 0; }
  virtual void scale(int by) {}
};
struct Square : Shape {
  int sides() const override { return 4; }
};
struct Scene {
  Square *first;
};

int callVirtual(Scene *scene, Shape &shape, int by) {
  shape.scale(by + 1);             // shape.scale(by + 1)
  scene->first->scale(2);          // scene->first; scene->first->scale(2)
  return scene->first->sides();    // scene->first; scene->first->sides()
}

int main() {
  Square square; /* or its class is only declared */
  Scene scene{&square};
  return callVirtual(&scene, square, 0);
}
