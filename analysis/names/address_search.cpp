// See address_search.h.
#include "analysis/names/address_search.h"

#include "abi/memory_map.h"
#include "analysis/names/type_names.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>

namespace culprit {

namespace {

constexpr uint64_t kNear = 4096;      ///< an object farther away has nothing to do with an address
constexpr uint64_t kNullPage = 65536; ///< vm.mmap_min_addr: nothing is ever mapped below
constexpr uint64_t kArrayCookie = 8;  ///< where `new T[n]` keeps n

std::string bytesText(uint64_t count) {
  return count == 1 ? "1 byte" : fmt::format("{} bytes", count);
}

std::string strayText(Position position, uint64_t distance) {
  if (position == Position::Before)
    return bytesText(distance) + " before ";
  return distance ? bytesText(distance) + " past " : "just past ";
}

std::string placeText(const SourcePlace &place) {
  return fmt::format("{}:{}", place.file, place.line);
}

bool isIn(uint64_t address, uint64_t start, uint64_t limit) {
  return address >= start && address < limit;
}

/// Of the demangler, which leaves it to us to free.
std::string taken(char *text) {
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

} // namespace

std::string functionText(const std::string &linkName) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(linkName.c_str()) || !demangler.isFunction())
    return linkName;
  return taken(demangler.getFunctionName(nullptr, nullptr));
}

std::string bareFunctionText(const std::string &linkName) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(linkName.c_str()) || !demangler.isFunction())
    return linkName;
  std::string context =
      shortTypeNames(taken(demangler.getFunctionDeclContextName(nullptr, nullptr)));
  std::string name = taken(demangler.getFunctionBaseName(nullptr, nullptr));
  return context.empty() ? name : context + "::" + name;
}

AddressName Names::Search::run() {
  if (std::optional<AddressName> null = nameNull())
    return *null;
  offerFrames();
  offerBlocks();
  offerThreadLocals();
  offerRanges();
  offerVariables();
  bool isInside = best_ && position_ == Position::Inside;
  if (!isInside)
    if (std::optional<AddressName> code = nameCode())
      return *code;
  AddressName name = isInside || (best_ && distance_ <= kNear) ? best_() : nameNothing();
  return name;
}

void Names::Search::offer(uint64_t start, uint64_t size, Finish finish) {
  Position position = Position::Inside;
  uint64_t distance = 0;
  if (address_ < start) {
    position = Position::Before;
    distance = start - address_;
  } else if (address_ - start >= size) {
    position = Position::Past;
    distance = address_ - start - size;
  }
  bool wasInside = best_ && position_ == Position::Inside;
  bool isInside = position == Position::Inside;
  bool isNearer =
      distance < distance_ || (distance == distance_ && position_ != Position::Inside &&
                               position == Position::Past && position_ == Position::Before);
  // Of nested objects the smaller one, of others the nearer one.
  bool wins = !best_ || (isInside ? !wasInside || size < size_ : !wasInside && isNearer);
  if (!wins)
    return;
  best_ = std::move(finish);
  position_ = position;
  distance_ = distance;
  size_ = size;
}

void Names::Search::offerVariables() {
  for (const OpenImage &open : names_.images_)
    for (const ImageVariable &variable : open.image->variables())
      offer(open.loaded.base + variable.address, variable.size, [this, &open, &variable] {
        return finishVariable(variable, open.loaded.base, MemoryKind::Global, "");
      });
}

void Names::Search::offerThreadLocals() {
  for (const ThreadBlock &block : names_.threadBlocks_) {
    if (block.image >= names_.images_.size())
      continue;
    for (const ImageVariable &variable : names_.images_[block.image].image->threadLocals())
      offer(block.address + variable.address, variable.size, [this, &block, &variable] {
        return finishVariable(variable, block.address, MemoryKind::ThreadLocal,
                              fmt::format(" of thread {}", block.thread));
      });
  }
}

bool Names::Search::isNameable(const KnownRange &range) const {
  return isIn(address_, range.address, range.address + range.size) ||
         (range.elementSize && !(range.isAboveFrames && address_ < range.address));
}

void Names::Search::offerRanges() {
  for (const KnownRange &range : names_.ranges_)
    if (isNameable(range))
      offer(range.address, range.size, [this, &range] { return finishRange(range); });
}

const PlacedFrame *Names::Search::shapeOf(uint32_t frame) const {
  return names_.frames_ ? names_.frames_->find(record_->frames[frame].function) : nullptr;
}

void Names::Search::offerFrames() {
  if (!record_)
    return;
  for (uint32_t i = 0; i < std::min(record_->frameCount, abi::kMostFrames); ++i) {
    if (record_->frames[i].function == abi::kBlockNote)
      offerVariableArray(i);
    else if (const PlacedFrame *shape = shapeOf(i))
      offerFrame(i, *shape);
  }
}

void Names::Search::offerFrame(uint32_t index, const PlacedFrame &shape) {
  const abi::FailureFrame &frame = record_->frames[index];
  for (const PlacedMember &member : shape.members)
    offer(frame.address + member.offset, member.size,
          [this, &frame, &shape, &member] { return finishMember(frame, shape, member); });
}

/// A variable-length array belongs to the next older frame that is a function's.
void Names::Search::offerVariableArray(uint32_t index) {
  const abi::FailureFrame &frame = record_->frames[index];
  uint32_t owner = index;
  uint32_t count = std::min(record_->frameCount, abi::kMostFrames);
  while (owner < count && record_->frames[owner].function == abi::kBlockNote)
    ++owner;
  const PlacedFrame *shape = owner < count ? shapeOf(owner) : nullptr;
  if (!shape)
    return;
  offer(frame.address, frame.size, [this, &frame, shape] {
    std::string name;
    const SourceType *type = names_.findVariableArray(*shape, name);
    if (name.empty())
      name = "variable-length array";
    return finishObject(MemoryKind::Local, {name, false}, frame.address, frame.size, type,
                        frameSuffix(frame, *shape));
  });
}

void Names::Search::offerBlocks() {
  if (!record_)
    return;
  for (uint32_t i = 0; i < std::min(record_->blockCount, abi::kMostBlocks); ++i) {
    const abi::FailureBlock &block = record_->blocks[i];
    offer(block.address, block.size, [this, &block] { return finishBlock(block); });
  }
}

AddressName Names::Search::finishObject(MemoryKind kind, const Subject &subject, uint64_t start,
                                        uint64_t size, const SourceType *type,
                                        const std::string &suffix) {
  AddressName name{kind, subject.text, "", position_, distance_, start, size, ""};
  if (position_ != Position::Inside) {
    name.text = fmt::format("{}`{}` ({}){}", strayText(position_, distance_), subject.text,
                            bytesText(size), suffix);
    return name;
  }
  Path path{subject, nullptr, address_ - start, size, "", false};
  if (type)
    path = pathInto(*type, address_ - start, subject, accessSize_, {names_.reader_, start});
  name.expression = path.subject.itself();
  name.text = path.text() + suffix;
  return name;
}

AddressName Names::Search::finishVariable(const ImageVariable &variable, uint64_t base,
                                          MemoryKind kind, const std::string &suffix) {
  const SourceType *type = variable.type;
  std::string text = variable.name;
  // A variable of a library that the executable has a copy of: the library knows its type.
  for (const OpenImage &open : names_.images_)
    if (!type)
      if (const ImageVariable *original = open.image->findVariable(variable.linkName)) {
        type = original->type;
        text = original->name;
      }
  return finishObject(kind, {text, false}, base + variable.address, variable.size, type, suffix);
}

std::string Names::Search::frameSuffix(const abi::FailureFrame &frame, const PlacedFrame &shape) {
  std::string function = functionText(shape.function);
  if (frame.address < record_->frameTop)
    return fmt::format(" (dead: its function `{}` has returned)", function);
  return fmt::format(" in `{}`", function);
}

AddressName Names::Search::finishMember(const abi::FailureFrame &frame, const PlacedFrame &shape,
                                        const PlacedMember &member) {
  uint64_t start = frame.address + member.offset;
  std::string suffix = frameSuffix(frame, shape);
  if (!member.name.empty() && !member.isReturnSlot)
    return finishObject(MemoryKind::Local, {member.name, false}, start, member.size,
                        names_.typeOfMember(shape, member), suffix);
  bool isDead = frame.address < record_->frameTop;
  AddressName name{MemoryKind::Local, "", "", position_, distance_, start, member.size, ""};
  std::string what = member.isReturnSlot
                         ? "the return address of `" + functionText(shape.function) + "`" +
                               (isDead ? " (which has returned)" : "")
                         : "a temporary" + suffix;
  name.text = (position_ == Position::Inside ? "" : strayText(position_, distance_)) + what;
  return name;
}

std::string Names::Search::blockText(const abi::FailureBlock &block, const Allocation &allocation) {
  std::string text = fmt::format("the heap block of {}", bytesText(block.size));
  if (allocation.place.line)
    text += " allocated at " + placeText(allocation.place);
  if (block.state != abi::BlockState::Freed)
    return text;
  for (const SourcePlace &place : names_.placesOfCallers(block.freedAt))
    if (place.line && !isLibraryFunction(place.function))
      return text + (allocation.place.line ? " and freed at " : " freed at ") + placeText(place);
  return text + (allocation.place.line ? " and freed since" : " that is free");
}

/// The part of a block by what it was allocated as.
std::optional<Path> Names::Search::pathIntoBlock(const abi::FailureBlock &block,
                                                 const Allocation &allocation, uint64_t address) {
  const SourceType *type = allocation.type;
  if (!type || !type->size)
    return std::nullopt;
  uint64_t offset = address - block.address, size = block.size;
  bool hasCookie = type->hasFields() && size > kArrayCookie && size % type->size != 0 &&
                   (size - kArrayCookie) % type->size == 0 && !type->endsOpen();
  if (hasCookie && offset < kArrayCookie)
    return std::nullopt;
  if (hasCookie) {
    offset -= kArrayCookie;
    size -= kArrayCookie;
  }
  std::string pointer = allocation.pointer.empty() ? "block" : allocation.pointer;
  bool isOne = (size < 2 * type->size && !hasCookie && !type->isCharacter) || type->endsOpen();
  if (isOne && offset >= type->size && !type->endsOpen())
    return std::nullopt;
  if (isOne)
    return pathInto(*type, offset, {pointer, true}, accessSize_,
                    {names_.reader_, address - offset});
  Subject element = Subject{pointer, false}.element(std::to_string(offset / type->size));
  return pathInto(*type, offset % type->size, element, accessSize_,
                  {names_.reader_, address - offset % type->size});
}

/// The part of a block by how the program's variables lead to it now; to a freed one, too.
std::optional<Reached> Names::Search::reach(const abi::FailureBlock &block, uint64_t address) {
  if (!names_.reader_)
    return std::nullopt;
  Reach reach(
      *names_.reader_, [this](uint64_t table) { return names_.findClass(table); }, block.address,
      block.size, address);
  for (uint32_t i = 0; i < std::min(record_->frameCount, abi::kMostFrames); ++i) {
    const PlacedFrame *shape = shapeOf(i);
    if (!shape || record_->frames[i].address < record_->frameTop)
      continue;
    for (const PlacedMember &member : shape->members)
      if (const SourceType *type = names_.typeOfMember(*shape, member))
        reach.addRoot(*type, record_->frames[i].address + member.offset, member.name);
  }
  for (const OpenImage &open : names_.images_)
    for (const ImageVariable &variable : open.image->variables())
      if (variable.type)
        reach.addRoot(*variable.type, open.loaded.base + variable.address, variable.name);
  for (const ThreadBlock &block : names_.threadBlocks_)
    if (block.image < names_.images_.size())
      for (const ImageVariable &variable : names_.images_[block.image].image->threadLocals())
        if (variable.type)
          reach.addRoot(*variable.type, block.address + variable.address, variable.name);
  return reach.search();
}

/// The part of a block that a stray address is next to: ", behind `v[9]`".
std::string Names::Search::besideBlock(const abi::FailureBlock &block,
                                       const Allocation &allocation) {
  if (!block.size)
    return "";
  bool isPast = position_ == Position::Past;
  uint64_t edge = isPast ? block.address + block.size - 1 : block.address;
  std::optional<Path> path;
  if (std::optional<Reached> reached = reach(block, edge))
    path = reached->path;
  else if (!allocation.pointer.empty())
    path = pathIntoBlock(block, allocation, edge);
  if (!path)
    return "";
  path->rest = 0;
  return (isPast ? ", behind " : ", in front of ") + path->text();
}

AddressName Names::Search::finishBlock(const abi::FailureBlock &block) {
  std::vector<SourcePlace> callers = names_.placesOfCallers(block.allocatedAt);
  Allocation allocation = Allocations(*names_.modules_, names_.types_).guess(callers);
  std::string blockName = blockText(block, allocation);
  AddressName name{MemoryKind::Heap, allocation.pointer, "",         position_,
                   distance_,        block.address,      block.size, std::string()};
  if (position_ != Position::Inside) {
    name.text = strayText(position_, distance_) + blockName + besideBlock(block, allocation);
    return name;
  }
  if (std::optional<Reached> reached = reach(block, address_)) {
    name.expression = reached->path.subject.itself();
    std::string note = reached->note.empty() ? "" : " (" + reached->note + ")";
    name.text = reached->path.text() + note + " of " + blockName;
  } else if (std::optional<Path> path = pathIntoBlock(block, allocation, address_)) {
    name.expression = path->subject.itself();
    name.text = path->text() + " of " + blockName;
  } else {
    name.text = fmt::format("byte {} of {}", address_ - block.address, blockName);
  }
  return name;
}

AddressName Names::Search::finishRange(const KnownRange &range) {
  AddressName name{MemoryKind::Range, range.name,    "",         position_,
                   distance_,         range.address, range.size, ""};
  if (position_ != Position::Inside) {
    name.text = fmt::format("{}`{}` ({})", strayText(position_, distance_), range.name,
                            bytesText(range.size));
  } else if (!range.elementSize) {
    name.text = "in " + range.name;
  } else {
    uint64_t offset = address_ - range.address;
    Subject element =
        Subject{range.name, false}.element(std::to_string(offset / range.elementSize));
    name.expression = element.text;
    name.text =
        Path{element, nullptr, offset % range.elementSize, range.elementSize, "", false}.text();
  }
  return name;
}

std::optional<AddressName> Names::Search::nameNull() const {
  AddressName name;
  name.kind = MemoryKind::Null;
  if (address_ < kNullPage)
    name.text = address_ ? fmt::format("plus {}", address_) : "";
  else if (-address_ <= kNear)
    name.text = fmt::format("minus {}", -address_);
  else
    return std::nullopt;
  name.text = fmt::format("no memory of the program (null page: null pointer{}{})",
                          name.text.empty() ? "" : " ", name.text);
  return name;
}

std::optional<AddressName> Names::Search::nameCode() {
  for (const OpenImage &open : names_.images_) {
    std::string function = open.image->functionAt(address_ - open.loaded.base);
    if (function.empty())
      continue;
    AddressName name;
    name.kind = MemoryKind::Code;
    name.object = functionText(function);
    name.text = fmt::format("in the code of `{}()`", name.object);
    return name;
  }
  return std::nullopt;
}

AddressName Names::Search::nameNothing() const {
  AddressName name;
  uint64_t slots = abi::kThreadSlotSize * abi::kMostThreads;
  uint64_t stacks = abi::kThreadSlots + abi::kMachineStackDistance;
  for (const OpenImage &open : names_.images_)
    if (open.image->contains(address_ - open.loaded.base)) {
      name.kind = MemoryKind::Image;
      name.text = fmt::format("in the memory of `{}`", open.image->name());
      return name;
    }
  if (isIn(address_, abi::kHeapBase, abi::kHeapLimit)) {
    name.kind = MemoryKind::Heap;
    name.text = "in the heap, near no block that the failure has to do with";
  } else if (isIn(address_, stacks, stacks + slots)) {
    name.kind = MemoryKind::Stack;
    name.text = "on the machine stack";
  } else if (isIn(address_, abi::kThreadSlots, abi::kThreadSlots + slots)) {
    name.kind = MemoryKind::Stack;
    name.text = "in the memory for locals, near none of a function that is known";
  } else if (!isPossibleAddress(address_)) {
    name.text = "no memory of the program (no possible address)";
  } else {
    name.text = "no memory of the program";
  }
  return name;
}

} // namespace culprit
