// A static_cast to a larger class writes behind the object.
// expect: kind=broken-heap line=fail name=just past the heap block of 24 bytes allocated at @alloc
// cause: line=cause
// locate: line=first and=alloc
#include <cstdio>
#include <memory>

struct Node {
  long kind = 0;
  virtual ~Node() = default; // fail
  long depth = 1;
};

struct Call : Node {
  long arguments[3] = {0, 0, 0};
};

static std::unique_ptr<Node> parse(char first) {
  if (first == '(')
    return std::make_unique<Call>();
  return std::make_unique<Node>(); // alloc
}

static void addArgument(Node &node, long value) {
  auto &call = static_cast<Call &>(node); // cause
  call.arguments[call.kind++] = value;    // first
}

int main(int argc, char **argv) {
  std::unique_ptr<Node> node = parse(argc > 1 ? argv[1][0] : 'x');
  std::unique_ptr<Node> next = parse('x');
  addArgument(*node, 3);
  std::printf("%ld\n", node->depth + next->depth);
  next.reset(); // fail
}
