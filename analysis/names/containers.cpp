// See containers.h. Layouts are those of libstdc++'s stable ABI (the C++11 one for strings).
#include "analysis/names/containers.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace culprit {

namespace {

using Visit = std::function<bool(const OwnedMemory &)>;

constexpr uint64_t kMostNodes = 20'000; ///< a broken list may be a ring
constexpr uint64_t kMostKey = 64;       ///< characters of a key that are shown
constexpr uint64_t kDequeBlock = 512;   ///< bytes

struct Container {
  const SourceType &type;
  uint64_t address;
  const Subject &subject;
  const MemoryReader &reader;
  const Visit &visit;
  std::vector<const SourceType *> arguments;
  bool isMap;

  uint64_t word(uint64_t offset) const { return reader.word(address + offset).value_or(0); }
};

/// Where an object of that type comes to lie behind `offset` bytes.
uint64_t alignedFor(uint64_t offset, const SourceType &type) {
  uint64_t alignment = type.alignment();
  return (offset + alignment - 1) / alignment * alignment;
}

void visitArray(const Container &container, uint64_t begin, uint64_t end, uint64_t limit) {
  if (!begin || end < begin || limit < end || !container.arguments[0]->size)
    return;
  const SourceType &element = *container.arguments[0];
  container.visit({begin, limit - begin, 0, &element, (end - begin) / element.size,
                   container.subject, true, 0});
}

void visitVector(const Container &container) {
  visitArray(container, container.word(0), container.word(8), container.word(16));
}

void visitString(const Container &container) {
  uint64_t begin = container.word(0);
  if (begin != container.address + 16) // else in the string itself
    visitArray(container, begin, begin + container.word(8), begin + container.word(16) + 1);
}

void visitPointer(const Container &container) {
  const SourceType *target = container.arguments[0];
  bool isArray = target->kind == TypeKind::Array;
  if (isArray)
    target = target->element;
  Subject pointer{container.subject.itself(), true};
  OwnedMemory memory{container.word(0), target->size, 0, target, 1, pointer};
  if (isArray) { // as many as fit
    memory.subject.isPointer = false;
    memory.isArray = true;
    memory.size = kOpenSize;
    memory.count = 0;
  }
  container.visit(memory);
}

void visitDeque(const Container &container) {
  const SourceType &element = *container.arguments[0];
  if (!element.size)
    return;
  uint64_t perBlock = std::max<uint64_t>(kDequeBlock / element.size, 1);
  uint64_t first = container.word(16 + 24), last = container.word(48 + 24);
  uint64_t skipped = (container.word(16) - container.word(16 + 8)) / element.size;
  for (uint64_t slot = first; slot <= last && slot - first < kMostNodes * 8; slot += 8) {
    uint64_t block = container.reader.word(slot).value_or(0);
    OwnedMemory memory{
        block,    perBlock * element.size, 0,    &element,
        perBlock, container.subject,       true, (slot - first) / 8 * perBlock - skipped};
    if (!block || !container.visit(memory))
      return;
  }
}

/// Lists have no index; their nodes are counted from the front.
void visitChain(const Container &container, uint64_t linkSize) {
  const SourceType &element = *container.arguments[0];
  uint64_t node = container.word(0);
  for (uint64_t i = 0; node && node != container.address && i < kMostNodes; ++i) {
    Subject subject{fmt::format("std::next({}.begin(), {})", container.subject.itself(), i), true};
    uint64_t values = alignedFor(linkSize, element);
    if (!container.visit({node, values + element.size, values, &element, 1, subject}))
      return;
    node = container.reader.word(node).value_or(0);
  }
}

void visitList(const Container &container) {
  visitChain(container, 16);
}

void visitForwardList(const Container &container) {
  visitChain(container, 8);
}

/// A key as the source would write it.
std::string keyText(const SourceType &key, uint64_t address, const MemoryReader &reader) {
  if (key.isStandard("basic_string")) {
    uint64_t length = reader.word(address + 8).value_or(0), size = std::min(length, kMostKey);
    std::string text(size, '\0');
    if (!reader.read(reader.word(address).value_or(0), text.data(), size))
      return "...";
    return "\"" + text + (size < length ? "...\"" : "\"");
  }
  if (key.kind != TypeKind::Integer || key.size > 8)
    return "...";
  uint64_t value = 0;
  if (!reader.read(address, &value, key.size))
    return "...";
  unsigned unused = 64 - static_cast<unsigned>(key.size) * 8;
  bool isUnsigned = key.name.find("unsigned") != std::string::npos;
  if (isUnsigned)
    return std::to_string(value);
  return std::to_string(static_cast<int64_t>(value << unused) >> unused);
}

/// Visits the node of a map or set: maps name the mapped value by its key.
bool visitNode(const Container &container, uint64_t node, uint64_t header) {
  const SourceType &key = *container.arguments[0];
  const SourceType &mapped = container.isMap ? *container.arguments[1] : key;
  uint64_t first = alignedFor(header, key.alignment() > mapped.alignment() ? key : mapped);
  std::string text = keyText(key, node + first, container.reader);
  if (!container.isMap) {
    Subject subject{fmt::format("{}.find({})", container.subject.itself(), text), true};
    return container.visit({node, first + key.size, first, &key, 1, subject});
  }
  uint64_t offset = alignedFor(first + key.size, mapped);
  Subject subject = container.subject.element(text);
  return container.visit({node, offset + mapped.size, offset, &mapped, 1, subject});
}

void visitTree(const Container &container) {
  std::vector<uint64_t> nodes{container.word(16)};
  for (uint64_t i = 0; !nodes.empty() && i < kMostNodes; ++i) {
    uint64_t node = nodes.back();
    nodes.pop_back();
    if (!node)
      continue;
    if (!visitNode(container, node, 32))
      return;
    nodes.push_back(container.reader.word(node + 24).value_or(0));
    nodes.push_back(container.reader.word(node + 16).value_or(0));
  }
}

void visitHashTable(const Container &container) {
  uint64_t node = container.word(16);
  for (uint64_t i = 0; node && i < kMostNodes; ++i) {
    if (!visitNode(container, node, 8))
      return;
    node = container.reader.word(node).value_or(0);
  }
}

struct Known {
  const char *name;
  void (*visit)(const Container &);
  unsigned argumentCount;
};

constexpr Known kKnown[] = {
    {"vector", visitVector, 1},
    {"basic_string", visitString, 1},
    {"deque", visitDeque, 1},
    {"list", visitList, 1},
    {"forward_list", visitForwardList, 1},
    {"map", visitTree, 2},
    {"multimap", visitTree, 2},
    {"set", visitTree, 1},
    {"multiset", visitTree, 1},
    {"unordered_map", visitHashTable, 2},
    {"unordered_multimap", visitHashTable, 2},
    {"unordered_set", visitHashTable, 1},
    {"unordered_multiset", visitHashTable, 1},
    {"unique_ptr", visitPointer, 1},
    {"shared_ptr", visitPointer, 1},
};

const Known *knownAs(const SourceType &type) {
  for (const Known &known : kKnown)
    if (type.isStandard(known.name))
      return &known;
  return nullptr;
}

} // namespace

bool isContainer(const SourceType &type) {
  return knownAs(type) != nullptr;
}

void visitOwnedMemory(const SourceType &type, uint64_t address, const Subject &subject,
                      const MemoryReader &reader, const Visit &visit) {
  const Known *known = knownAs(type);
  if (!known)
    return;
  Container container{
      type, address, subject, reader, visit, type.arguments(), known->argumentCount == 2};
  bool isBits = type.isStandard("vector") && !container.arguments.empty() &&
                container.arguments[0]->name == "bool";
  if (container.arguments.size() >= known->argumentCount && !isBits)
    known->visit(container);
}

} // namespace culprit
