// See reach.h.
#include "analysis/names/reach.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit {

namespace {

constexpr unsigned kMostHops = 3;          ///< longer expressions tell a reader nothing
constexpr unsigned kMostScanned = 200'000; ///< parts of objects that are looked at
constexpr uint64_t kMostElements = 4096;   ///< of one array

} // namespace

void Reach::addRoot(const SourceType &type, uint64_t address, const std::string &name) {
  enqueue({&type, address, {name, false}, 0});
}

void Reach::enqueue(const Object &object) {
  if (object.hops <= kMostHops && object.address &&
      seen_.emplace(object.address, object.type).second)
    queue_.push_back(object);
}

std::optional<Reached> Reach::search() {
  while (!queue_.empty() && !found_ && scanned_ < kMostScanned) {
    Object object = queue_.front();
    queue_.pop_front();
    scan(object);
  }
  return found_ ? found_ : foundInside_;
}

void Reach::scan(const Object &object) {
  if (found_ || ++scanned_ > kMostScanned)
    return;
  const SourceType &type = *object.type;
  if (isContainer(type)) {
    scanContainer(object);
  } else if (type.kind == TypeKind::Pointer) {
    follow(object);
  } else if (type.kind == TypeKind::Array && type.element->size) {
    if (type.element->isAggregate() || type.element->kind == TypeKind::Pointer)
      for (uint64_t i = 0; i < std::min(type.count, kMostElements); ++i)
        scan({type.element, object.address + i * type.element->size,
              object.subject.element(std::to_string(i)), object.hops});
  } else if (type.hasFields()) {
    for (const SourceField &field : type.fields) {
      bool isHidden = field.name.empty() || field.isBase || type.isStandard("array") ||
                      (type.isInStandardLibrary() && field.name[0] == '_');
      if (!field.isBitField && field.name.compare(0, 5, "_vptr") != 0)
        scan({field.type, object.address + field.offset(),
              isHidden ? object.subject : object.subject.field(field.name), object.hops});
    }
  }
}

void Reach::follow(const Object &pointer) {
  const SourceType *target = pointer.type->target();
  std::optional<uint64_t> value = reader_.word(pointer.address);
  if (!target || !value || !*value || !target->size)
    return;
  Subject subject{pointer.subject.itself(), true};
  if (*value >= block_ && *value < end_)
    meet(*target, *value, subject);
  enqueue({target, *value, subject, pointer.hops + 1});
}

/// A pointer leads to the block. What it points to may be one object or the first of many.
void Reach::meet(const SourceType &type, uint64_t start, const Subject &pointer) {
  std::optional<Reached> &place = start == block_ ? found_ : foundInside_;
  if (place || address_ < start)
    return;
  uint64_t offset = address_ - start;
  bool isOne = type.endsOpen() || end_ - start < 2 * type.size;
  if (isOne && !type.isCharacter && (offset < type.size || type.endsOpen()))
    place = Reached{pathInto(type, offset, pointer), ""};
  else
    place =
        Reached{pathInto(type, offset % type.size,
                         Subject{pointer.text, false}.element(std::to_string(offset / type.size))),
                ""};
}

void Reach::scanContainer(const Object &object) {
  visitOwnedMemory(*object.type, object.address, object.subject, reader_,
                   [&](const OwnedMemory &memory) {
                     if (!memory.type->size)
                       return false;
                     if (memory.address >= block_ && memory.address < end_ &&
                         address_ >= memory.address && address_ - memory.address < memory.size)
                       found_ = nameIn(memory);
                     else
                       enqueueElements(memory, object.hops + 1);
                     return !found_ && ++scanned_ < kMostScanned;
                   });
}

Reached Reach::nameIn(const OwnedMemory &memory) const {
  uint64_t first = memory.address + memory.values;
  if (address_ < first)
    return {{memory.subject, nullptr, 0, memory.values, "the node", false}, ""};
  uint64_t index = (address_ - first) / memory.type->size;
  bool isPast = memory.isArray && memory.size != kOpenSize && index >= memory.count;
  return {pathInto(*memory.type, (address_ - first) % memory.type->size, memory.element(index)),
          isPast ? fmt::format("past its size {}", memory.count) : ""};
}

void Reach::enqueueElements(const OwnedMemory &memory, unsigned hops) {
  if (!memory.type->isAggregate() && memory.type->kind != TypeKind::Pointer)
    return;
  for (uint64_t i = 0; i < std::min(memory.count, kMostElements); ++i)
    enqueue({memory.type, memory.address + memory.values + i * memory.type->size, memory.element(i),
             hops});
}

} // namespace culprit
