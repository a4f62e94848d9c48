// See reach.h.
#include "analysis/names/reach.h"

#include "abi/heap_table.h"
#include "analysis/names/held_parts.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit {

namespace {

constexpr unsigned kMostHops = 3;          ///< longer expressions tell a reader nothing
constexpr unsigned kMostScanned = 200'000; ///< parts of objects that are looked at
constexpr uint64_t kMostElements = 4096;   ///< of one array

/// Bytes of the live block that starts there; 0: none does.
uint64_t blockSizeAt(uint64_t address, const MemoryReader &reader) {
  if (address < abi::kHeapBase || address >= abi::kHeapLimit || address % 16 != 0)
    return 0;
  uint64_t entry[2] = {};
  uint64_t place = abi::kHeapTables + abi::granuleOf(address) * sizeof *entry;
  bool isLive =
      reader.read(place, entry, sizeof entry) && abi::startsAs(address, *entry, abi::Tag::Live);
  return isLive ? abi::sizeIn(entry) : 0;
}

/// Whether pointers may be in it.
bool leadsOn(const SourceType &type) {
  return type.isAggregate() || type.kind == TypeKind::Pointer;
}

bool hasVirtualTable(const SourceType &type) {
  if (type.kind != TypeKind::Record || type.fields.empty() || type.fields[0].bitOffset != 0)
    return false;
  const SourceField &first = type.fields[0];
  return first.isBase ? hasVirtualTable(*first.type) : first.name.starts_with("_vptr");
}

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
  } else if (type.isStandard("optional")) {
    scanOptional(object);
  } else if (type.isStandard("variant")) {
    if (std::optional<HeldAlternative> held = heldAlternative(type, object.address, reader_))
      scan({held->type, object.address, heldPart(held->index, object.subject), object.hops});
  } else if (type.kind == TypeKind::Array && type.element->size) {
    if (leadsOn(*type.element))
      for (uint64_t i = 0; i < std::min(type.count, kMostElements); ++i)
        scan({type.element, object.address + i * type.element->size,
              object.subject.element(std::to_string(i)), object.hops});
  } else if (type.hasFields()) {
    scanFields(object);
  }
}

void Reach::scanFields(const Object &object) {
  const SourceType &type = *object.type;
  std::optional<uint64_t> index = tupleIndex(type);
  Subject whole = index ? heldPart(*index, object.subject) : object.subject;
  for (const SourceField &field : type.fields) {
    bool isHidden = field.name.empty() || field.isBase || type.isStandard("array") ||
                    (type.isInStandardLibrary() && field.name[0] == '_');
    if (!field.isBitField && field.name.compare(0, 5, "_vptr") != 0)
      scan({field.type, object.address + field.offset(), isHidden ? whole : whole.field(field.name),
            object.hops});
  }
}

void Reach::scanOptional(const Object &object) {
  std::vector<const SourceType *> arguments = object.type->arguments();
  char hasValue = 0;
  if (!arguments.empty() && reader_.read(object.address + arguments[0]->size, &hasValue, 1) &&
      hasValue)
    scan({arguments[0], object.address, {object.subject.itself(), true}, object.hops});
}

const SourceType &Reach::classAt(const SourceType &type, uint64_t address) const {
  std::optional<uint64_t> table = hasVirtualTable(type) ? reader_.word(address) : std::nullopt;
  const SourceType *found = table && findClass_ ? findClass_(*table) : nullptr;
  return found ? *found : type;
}

void Reach::follow(const Object &pointer) {
  const SourceType *target = pointer.type->target();
  std::optional<uint64_t> value = reader_.word(pointer.address);
  if (!target || !value || !*value || !target->size)
    return;
  target = &classAt(*target, *value);
  Subject subject{pointer.subject.itself(), true};
  if (*value >= block_ && *value < end_)
    meet(*target, *value, subject);
  uint64_t count = blockSizeAt(*value, reader_) / target->size;
  if (count < 2 || !leadsOn(*target) || hasVirtualTable(*target))
    enqueue({target, *value, subject, pointer.hops + 1});
  else
    enqueueElements({*value, kOpenSize, 0, target, count, {subject.text, false}, true, 0},
                    pointer.hops + 1);
}

/// A pointer leads to the block. What it points to may be one object or the first of many.
void Reach::meet(const SourceType &type, uint64_t start, const Subject &pointer) {
  std::optional<Reached> &place = start == block_ ? found_ : foundInside_;
  if (place || address_ < start)
    return;
  uint64_t offset = address_ - start;
  bool isOne = type.endsOpen() || end_ - start < 2 * type.size || hasVirtualTable(type);
  if (isOne && !type.isCharacter && (offset < type.size || type.endsOpen()))
    place = Reached{pathInto(type, offset, pointer, 0, {&reader_, start}), ""};
  else
    place =
        Reached{pathInto(type, offset % type.size,
                         Subject{pointer.text, false}.element(std::to_string(offset / type.size)),
                         0, {&reader_, address_ - offset % type.size}),
                ""};
}

void Reach::scanContainer(const Object &object) {
  visitOwnedMemory(*object.type, object.address, object.subject, reader_, [&](OwnedMemory memory) {
    if (!memory.type->size)
      return false;
    if (!memory.isArray) {
      memory.type = &classAt(*memory.type, memory.address + memory.values);
      memory.size = std::max(memory.size, memory.values + memory.type->size);
    }
    if (memory.address >= block_ && memory.address < end_ && address_ >= memory.address &&
        address_ - memory.address < memory.size)
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
  uint64_t offset = (address_ - first) % memory.type->size;
  return {pathInto(*memory.type, offset, memory.element(index), 0, {&reader_, address_ - offset}),
          isPast ? fmt::format("past its size {}", memory.count) : ""};
}

void Reach::enqueueElements(const OwnedMemory &memory, unsigned hops) {
  if (!leadsOn(*memory.type))
    return;
  for (uint64_t i = 0; i < std::min(memory.count, kMostElements); ++i)
    enqueue({memory.type, memory.address + memory.values + i * memory.type->size, memory.element(i),
             hops});
}

} // namespace culprit
