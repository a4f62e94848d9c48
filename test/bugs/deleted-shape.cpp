// A virtual call on an object that another part of the program has deleted.
// expect: kind=segmentation-fault line=fail name=`shape->area()`
// layout: {"fill": {"freed": 221}}
// cause: line=cause
// locate: line=first and=cause
#include <cstdio>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
};

struct Scene {
  std::vector<Shape *> shapes;
  Shape *selected = nullptr;

  void remove(std::size_t place) {
    delete shapes[place]; // cause: it may be selected
    shapes.erase(shapes.begin() + static_cast<long>(place));
  }
};

static double areaOf(const Shape *shape) {
  return shape->area(); // fail
}

int main() {
  Scene scene;
  scene.shapes.push_back(new Square(2));
  scene.shapes.push_back(new Square(3));
  scene.selected = scene.shapes[0]; // first
  scene.remove(0);
  std::printf("%g\n", areaOf(scene.selected));
}
