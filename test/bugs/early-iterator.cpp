// Takes an iterator to the end of a list, makes room there, and fills that through the iterator,
// which is still one of the old block.
// expect: kind=broken-heap line=fail
// cause: line=cause
// locate: line=made
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Node {
  std::string name;
  std::vector<int> edges;
};

class Graph {
public:
  Node *node(const char *name) {
    nodes_.push_back(std::make_unique<Node>());
    nodes_.back()->name = name;
    nodes_.back()->edges.push_back(static_cast<int>(nodes_.size()));
    return nodes_.back().get();
  }

private:
  std::vector<std::unique_ptr<Node>> nodes_;
};

class Edge {
public:
  explicit Edge(Node *first) : inputs_{first} {}

  void addInputs(Graph &graph, const std::vector<const char *> &names) {
    auto place = inputs_.end(); // cause: where makeRoom() says
    makeRoom(names.size());     // made
    for (const char *name : names)
      *place++ = graph.node(name);
  }

  size_t length() const {
    size_t sum = 0;
    for (const Node *input : inputs_)
      sum += input->name.size();
    return sum;
  }

private:
  void makeRoom(size_t count) { inputs_.insert(inputs_.end(), count, nullptr); }

  std::vector<Node *> inputs_;
};

int main() {
  Graph graph;
  Edge edge(graph.node("main.c"));
  edge.addInputs(graph, {"a.h", "b.h", "c.h", "d.h", "e.h"}); // fail
  std::printf("%zu\n", edge.length());
}
