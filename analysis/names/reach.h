// How the program reaches a heap block: the expression that leads there from its variables.
//
// A search, breadth first, through typed pointers and containers. The shortest expression wins; a
// pointer to the block's first byte is preferred to one into the middle. A pointer to the start of
// a heap block leads to as many elements as the block has room for, and a pointer to an object with
// a virtual table to what the table says that it is.
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

/// The class whose virtual table is at an address; null: not known.
using FindClass = std::function<const SourceType *(uint64_t table)>;

class Reach {
public:
  /// The block, and the address in (or directly behind) it that shall be named.
  Reach(const MemoryReader &reader, FindClass findClass, uint64_t block, uint64_t size,
        uint64_t address)
      : reader_(reader), findClass_(std::move(findClass)), block_(block), end_(block + size),
        address_(address) {}

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
  void scanFields(const Object &object);
  void scanOptional(const Object &object);
  void scanContainer(const Object &object);
  Reached nameIn(const OwnedMemory &memory) const;
  void enqueueElements(const OwnedMemory &memory, unsigned hops);
  void follow(const Object &pointer);
  /// What an object of that type really is.
  const SourceType &classAt(const SourceType &type, uint64_t address) const;
  void meet(const SourceType &type, uint64_t start, const Subject &pointer);
  void enqueue(const Object &object);

  const MemoryReader &reader_;
  FindClass findClass_;
  uint64_t block_, end_, address_;
  std::deque<Object> queue_;
  std::set<std::pair<uint64_t, const SourceType *>> seen_;
  std::optional<Reached> found_, foundInside_;
  unsigned scanned_ = 0;
};

} // namespace culprit
#endif
