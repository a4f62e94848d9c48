// Two shared pointers made of one plain pointer, each with a count of its own.
// expect: kind=double-free line=fail
// cause: line=cause
// locate: line=adopt
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Node {
  std::string name;
  explicit Node(const char *text) : name(text) {}
  ~Node() { std::printf("without %s\n", name.c_str()); } // fail
};

static std::vector<std::shared_ptr<Node>> nodes;

static std::shared_ptr<Node> adopt(Node *node) {
  return std::shared_ptr<Node>(node); // adopt
}

int main() {
  Node *first = new Node("a node with quite a long name");
  nodes.push_back(adopt(first));
  nodes.push_back(adopt(new Node("another")));
  {
    std::shared_ptr<Node> shown = adopt(first); // cause: nodes[0]
    std::printf("%s\n", shown->name.c_str());
  }
  std::printf("%zu nodes\n", nodes.size());
}
