// How the program reaches a heap block: the expression that leads there from its variables.
//
// A search, breadth first, through typed pointers and containers. The shortest expression wins; a
// pointer to the block's first byte is preferred to one into the middle.
#ifndef CULPRIT_ANALYSIS_NAMES_REACH_H
#define CULPRIT_ANALYSIS_NAMES_REACH_H

#include "analysis/names/containers.h"

#include <deque>
#include <optional>
#include <set>

namespace culprit {

struct Reached {
  Path path;
  std::string note; ///< "past its size 3", or empty
};

class Reach {
public:
  /// The block, and the address in (or directly behind) it that shall be named.
  Reach(const MemoryReader &reader, uint64_t block, uint64_t size, uint64_t address)
      : reader_(reader), block_(block), end_(block + size), address_(address) {}

  /// A variable to start from; the first added is searched first.
  void addRoot(const SourceType &type, uint64_t address, const std::string &name);
  std::optional<Reached> search();

private:
  struct Object {
    const SourceType *type;
    uint64_t address;
    Subject subject;
    unsigned hops;
  };

  void scan(const Object &object);
  void scanContainer(const Object &object);
  Reached nameIn(const OwnedMemory &memory) const;
  void enqueueElements(const OwnedMemory &memory, unsigned hops);
  void follow(const Object &pointer);
  void meet(const SourceType &type, uint64_t start, const Subject &pointer);
  void enqueue(const Object &object);

  const MemoryReader &reader_;
  uint64_t block_, end_, address_;
  std::deque<Object> queue_;
  std::set<std::pair<uint64_t, const SourceType *>> seen_;
  std::optional<Reached> found_, foundInside_;
  unsigned scanned_ = 0;
};

} // namespace culprit
#endif
