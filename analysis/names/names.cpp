// See names.h.
#include "analysis/names/names.h"

#include "analysis/names/address_search.h"
#include "analysis/names/argument_search.h"
#include "analysis/names/expression.h"

#include <algorithm>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

/// Calls `visit` with every local that has a place in memory.
void forEachLocal(const Function &function,
                  const std::function<void(const DILocalVariable &, const Value *)> &visit) {
  for (const Instruction &instruction : instructions(function)) {
    for (const DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
      if (record.getType() == DbgVariableRecord::LocationType::Declare)
        visit(*record.getVariable(), record.getAddress());
    if (auto *declare = dyn_cast<DbgDeclareInst>(&instruction))
      visit(*declare->getVariable(), declare->getAddress());
  }
}

} // namespace

std::vector<LoadedImage> loadedImages(const Build &build, const abi::FailureRecord *record) {
  std::vector<LoadedImage> images;
  images.reserve(build.images.size());
  for (const ImageBuild &image : build.images)
    images.push_back({image.path, 0});
  for (uint32_t i = 0; record && i < std::min(record->imageCount, abi::kMostLoadedImages); ++i)
    if (record->images[i].index < images.size())
      images[record->images[i].index].base = record->images[i].base;
  return images;
}

Names::Names(const Program *program, std::vector<LoadedImage> images, const PlacedFrames *frames,
             const MemoryReader *reader)
    : frames_(frames), reader_(reader), modules_(PristineModules::of(program)),
      types_([this](const std::string &name) { return findDefinition(name); }) {
  for (LoadedImage &image : images) {
    auto opened = std::make_unique<DebugImage>(image.path);
    images_.push_back({std::move(image), std::move(opened)});
  }
}

Names::~Names() = default;

void Names::addThreadBlock(const ThreadBlock &block) {
  threadBlocks_.push_back(block);
}

void Names::addRange(const KnownRange &range) {
  ranges_.push_back(range);
}

AddressName Names::name(uint64_t address, const abi::FailureRecord *record, uint64_t accessSize) {
  return Search(*this, address, record, accessSize).run();
}

std::string Names::describe(uint64_t address, const abi::FailureRecord *record) {
  return name(address, record).text;
}

std::vector<SourcePlace> Names::placesOf(uint64_t pc) {
  std::vector<SourcePlace> places;
  for (const OpenImage &open : images_)
    if (open.image->contains(pc - open.loaded.base))
      places = open.image->placesOf(pc - open.loaded.base);
  for (SourcePlace &place : places)
    if (resolver_)
      resolver_(place);
  return places;
}

std::vector<SourcePlace> Names::placesOfCallers(const uint64_t *callers) {
  std::vector<SourcePlace> places;
  for (uint32_t i = 0; i < abi::kMostBlockCallers && callers[i]; ++i)
    for (SourcePlace &place : placesOf(callers[i] - 1))
      places.push_back(std::move(place));
  return places;
}

const SourceType *Names::findDefinition(const std::string &name) {
  for (const OpenImage &open : images_)
    if (const SourceType *type = open.image->types().definition(name))
      return type;
  return nullptr;
}

const SourceType *Names::findClass(uint64_t table) {
  constexpr std::string_view kPrefix = "vtable for ";
  for (const OpenImage &open : images_) {
    std::string symbol = demangle(open.image->symbolAt(table - open.loaded.base));
    if (symbol.starts_with(kPrefix))
      return findDefinition(symbol.substr(kPrefix.size()));
  }
  return nullptr;
}

const SourceType *Names::typeOfMember(const PlacedFrame &shape, const PlacedMember &member) {
  if (member.name.empty() || member.isReturnSlot)
    return nullptr;
  auto [place, isNew] = memberTypes_.try_emplace({&shape, &member}, nullptr);
  if (!isNew)
    return place->second;
  const SourceType *found = nullptr;
  bool isAmbiguous = false;
  for (const Function *function : modules_->findFunctions(shape.function, shape.source)) {
    forEachLocal(*function, [&](const DILocalVariable &local, const Value *) {
      const SourceType *type =
          local.getName() == member.name ? types_.get(local.getType()) : nullptr;
      bool isOther = !type || (member.line && local.getLine() != member.line) ||
                     (type->size != member.size && !type->endsOpen());
      if (isOther)
        return;
      isAmbiguous |= found && found != type;
      found = type;
    });
    if (found)
      break;
  }
  return memberTypes_[{&shape, &member}] = isAmbiguous ? nullptr : found;
}

/// The only variable-length array of a function, if it has just one.
const SourceType *Names::findVariableArray(const PlacedFrame &shape, std::string &name) {
  const SourceType *found = nullptr;
  unsigned count = 0;
  for (const Function *function : modules_->findFunctions(shape.function, shape.source)) {
    forEachLocal(*function, [&](const DILocalVariable &local, const Value *address) {
      auto *alloca = dyn_cast_or_null<AllocaInst>(address);
      if (!alloca || alloca->isStaticAlloca())
        return;
      ++count;
      found = types_.get(local.getType());
      name = local.getName().str();
    });
    if (count)
      break;
  }
  if (count == 1)
    return found;
  name.clear();
  return nullptr;
}

std::vector<AccessExpression> Names::expressionsAt(const AccessSite &site) {
  std::vector<AccessExpression> found;
  for (const Function *function : modules_->findFunctions(site.function, site.file)) {
    Expressions expressions(*function, types_);
    for (const Instruction *access : accessesAt(*function, site)) {
      AccessExpression expression;
      if (isa<MemTransferInst>(access) && !site.isWrite)
        return {}; // either side may be meant
      bool isWrite = site.isWrite.value_or(isa<StoreInst>(access));
      if (std::optional<std::string> call = expressions.virtualCallOfRead(*access))
        expression = {*call, true};
      else if (std::optional<PlaceExpression> place = expressions.accessOf(*access, isWrite))
        expression = {place->subject.itself(), false};
      else
        return {};
      if (std::find(found.begin(), found.end(), expression) == found.end())
        found.push_back(expression);
    }
  }
  return found;
}

std::optional<std::string> Names::expressionAt(const AccessSite &site) {
  std::vector<AccessExpression> found = expressionsAt(site);
  return found.size() == 1 ? std::optional(found[0].text) : std::nullopt;
}

std::optional<ArgumentExpressions> Names::argumentsAt(const AccessSite &site) {
  for (const Function *function : modules_->findFunctions(site.function, site.file)) {
    std::optional<FollowedArguments> followed = followedArgumentsAt(*function, site);
    if (!followed)
      continue;
    Expressions expressions(*function, types_);
    ArgumentExpressions found{bareFunctionText(followed->function), {}};
    for (const Value *pointer : followed->pointers) {
      std::optional<ValueExpression> value = expressions.valueOf(pointer);
      if (!value)
        return std::nullopt;
      if (std::find(found.texts.begin(), found.texts.end(), value->text) == found.texts.end())
        found.texts.push_back(value->text);
    }
    return found;
  }
  return std::nullopt;
}

std::optional<std::string> Names::calleeAt(const AccessSite &site) {
  std::optional<std::string> text;
  for (const Function *function : modules_->findFunctions(site.function, site.file)) {
    Expressions expressions(*function, types_);
    for (const CallBase *call : indirectCallsAt(*function, site)) {
      std::optional<std::string> callee = expressions.virtualCall(*call);
      if (std::optional<ValueExpression> value =
              callee ? std::nullopt : expressions.valueOf(call->getCalledOperand()))
        callee = value->text;
      if (!callee || (text && *text != *callee))
        return std::nullopt;
      text = callee;
    }
  }
  return text;
}

std::optional<std::string> Names::expressionOfSite(size_t index, uint32_t site, bool isWrite) {
  const Instruction *instruction = modules_->instructionAt(index, site);
  if (!instruction)
    return std::nullopt;
  std::optional<PlaceExpression> place =
      Expressions(*instruction->getFunction(), types_).accessOf(*instruction, isWrite);
  return place ? std::optional(place->subject.itself()) : std::nullopt;
}

} // namespace culprit
