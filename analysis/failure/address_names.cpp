// See address_names.h.
#include "analysis/failure/address_names.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit {

/// The frames of a build as its layout placed them.
class AddressNames::Frames : public PlacedFrames {
public:
  Frames(const Build &build, const Layout &layout) {
    Catalog catalog = readCatalog(build);
    for (size_t i = 0; i < catalog.modules().size(); ++i) {
      const CatalogModule &module = catalog.modules()[i];
      ModulePlacement placement = catalog.placeFrames(layout, i);
      for (size_t k = 0; k < placement.size(); ++k)
        frames_[frameKey(module.id, k)] = placed(module.table.frames[k], placement[k]);
    }
  }

  const PlacedFrame *find(uint64_t functionKey) const override {
    auto found = frames_.find(functionKey);
    return found == frames_.end() ? nullptr : &found->second;
  }

private:
  static PlacedFrame placed(const FrameShape &shape, const FramePlacement &placement) {
    PlacedFrame frame{shape.function, shape.file, shape.line, {}, placement.size};
    for (size_t i = 0; i < shape.members.size(); ++i) {
      const FrameMember &member = shape.members[i];
      if (member.kind != MemberKind::Gap && member.kind != MemberKind::SavedBase)
        frame.members.push_back({member.name, placement.offsets[i], member.size,
                                 member.kind == MemberKind::ReturnSlot, member.line});
    }
    return frame;
  }

  std::map<uint64_t, PlacedFrame> frames_;
};

AddressNames::AddressNames(const FailureContext &context)
    : context_(context), sites_(context.build) {}

AddressNames::~AddressNames() = default;

Names &AddressNames::names() {
  if (!names_) {
    frames_ =
        std::make_unique<Frames>(context_.build, context_.layout ? *context_.layout : Layout{});
    names_ =
        std::make_unique<Names>(context_.program, loadedImages(context_.build, &context_.record),
                                frames_.get(), context_.memory);
    names_->setPlaceResolver([this](SourcePlace &place) {
      std::optional<SiteAddress> site = siteFromLine(place.file, place.line);
      if (auto found = site ? sites_.find(*site) : std::nullopt) {
        place.file = found->file;
        place.line = found->line;
        place.column = found->column;
      }
    });
    addArguments();
    addThreadLocals();
  }
  return *names_;
}

void AddressNames::addArguments() {
  if (const abi::FailureArgument &vector = context_.record.argumentVector; vector.address != 0)
    names_->addRange({"argv", vector.address, vector.size, sizeof(uint64_t), true});
  for (uint32_t i = 0; i < abi::kMostArguments && context_.record.arguments[i].address != 0; ++i) {
    const abi::FailureArgument &argument = context_.record.arguments[i];
    names_->addRange({fmt::format("argv[{}]", i), argument.address, argument.size, 1, true});
    if (i + 1 < abi::kMostArguments && context_.record.arguments[i + 1].address == 0)
      addEnvironment(argument.address + argument.size);
  }
}

/// The variables that the program was started with lie behind its arguments, as `NAME=value`.
void AddressNames::addEnvironment(uint64_t address) {
  constexpr size_t kMostBytes = 1 << 16;
  std::string bytes;
  char byte = 0;
  size_t start = 0;
  while (context_.memory && bytes.size() < kMostBytes &&
         context_.memory->read(address + bytes.size(), &byte, 1)) {
    bytes += byte;
    if (byte != 0)
      continue;
    size_t value = bytes.find('=', start) + 1;
    if (value == 0) // find() has found none: no variable any more
      return;
    names_->addRange({fmt::format("getenv(\"{}\")", bytes.substr(start, value - 1 - start)),
                      address + value, bytes.size() - value, 1, true});
    start = bytes.size();
  }
}

void AddressNames::addThreadLocals() {
  uint64_t count = std::min<uint64_t>(context_.record.threadBlockCount, abi::kMostThreadBlocks);
  for (uint64_t i = 0; i < count; ++i) {
    const abi::FailureThreadBlock &block = context_.record.threadBlocks[i];
    names_->addThreadBlock({block.image, block.thread, block.address});
  }
}

AddressName AddressNames::name(uint64_t address, uint64_t accessSize) {
  return names().name(address, &context_.record, accessSize);
}

std::string AddressNames::describe(uint64_t address, uint64_t accessSize) {
  AddressName found = name(address, accessSize);
  return found.kind == MemoryKind::None ? "" : found.text;
}

static AccessSite siteOf(const StackFrame &frame) {
  AccessSite site;
  site.function = frame.linkageName;
  site.file = frame.file;
  site.line = frame.line;
  site.column = frame.column;
  return site;
}

std::string AddressNames::calleeAt(const StackFrame &frame) {
  return names().calleeAt(siteOf(frame)).value_or("");
}

std::optional<ArgumentExpressions> AddressNames::argumentsAt(const StackFrame &frame,
                                                             bool isWrite) {
  AccessSite site = siteOf(frame);
  site.isWrite = isWrite;
  return names().argumentsAt(site);
}

std::vector<AccessExpression> AddressNames::expressionsAt(const StackFrame &frame,
                                                          std::optional<bool> isWrite,
                                                          uint64_t size,
                                                          std::optional<uint64_t> nullOffset) {
  AccessSite site = siteOf(frame);
  site.isWrite = isWrite;
  site.size = size;
  site.nullOffset = nullOffset;
  std::vector<AccessExpression> found = names().expressionsAt(site);
  if (found.size() < 2 || !frame.site)
    return found;
  std::optional<std::string> text = expressionOf(*frame.site, isWrite.value_or(false));
  auto isOther = [&](const AccessExpression &one) { return one.text != text; };
  if (!std::all_of(found.begin(), found.end(), isOther))
    std::erase_if(found, isOther);
  return found;
}

std::optional<std::string> AddressNames::expressionOf(const SiteAddress &site, bool isWrite) {
  size_t index = 0;
  if (context_.program)
    for (const Image *image : context_.program->images())
      for (const Entry *entry : image->modules()) {
        if (entry->id == site.moduleId)
          return names().expressionOfSite(index, site.site, isWrite);
        ++index;
      }
  return std::nullopt;
}

} // namespace culprit
