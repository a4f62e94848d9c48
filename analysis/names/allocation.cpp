// See allocation.h.
#include "analysis/names/allocation.h"

#include "analysis/names/expression.h"
#include "analysis/names/returned_value.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

constexpr unsigned kDeepest = 6; ///< variables that a block is followed through

/// Bytes say nothing: void, and characters unless nothing better follows.
bool isTelling(const SourceType *type) {
  return type && type->kind != TypeKind::Unknown && !type->isCharacter;
}

const SourceType *targetOf(const SourceType *pointer) {
  return pointer && pointer->kind == TypeKind::Pointer ? pointer->target() : nullptr;
}

/// The class whose constructor `function` is.
const DIType *constructedBy(const Function &function) {
  ItaniumPartialDemangler demangler;
  std::string name = function.getName().str();
  if (demangler.partialDemangle(name.c_str()) || !demangler.isCtorOrDtor())
    return nullptr;
  const DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || subprogram->getName().starts_with("~"))
    return nullptr;
  return dyn_cast_or_null<DIType>(subprogram->getScope());
}

/// Calls at a place that may be the allocation: they return a pointer.
std::vector<const CallBase *> callsAt(const Function &function, const SourcePlace &place) {
  std::vector<const CallBase *> calls;
  for (const Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const DebugLoc &location = instruction.getDebugLoc();
    if (call && location && call->getType()->isPointerTy() && !isa<IntrinsicInst>(call) &&
        location.getLine() == place.line && location.getCol() == place.column)
      calls.push_back(call);
  }
  return calls;
}

} // namespace

bool isLibraryFunction(const std::string &linkName) {
  std::string name = demangle(linkName);
  // A template function's demangled name starts with its return type.
  for (StringRef start : {"std::", "__gnu_cxx::", "operator new", "operator delete", "void std::"})
    if (StringRef(name).starts_with(start))
      return true;
  return StringRef(linkName).starts_with("_ZNSt") || StringRef(linkName).starts_with("_ZSt") ||
         StringRef(linkName).starts_with("_ZNKSt") ||
         StringRef(linkName).starts_with("_ZN9__gnu_cxx");
}

Allocation Allocations::guess(const std::vector<SourcePlace> &callers) {
  Allocation result;
  bool mayBePassedOn = true;
  for (const SourcePlace &caller : callers) {
    if (!mayBePassedOn)
      break;
    std::optional<Fate> fate = fateAt(caller);
    if (fate && isTelling(fate->type) && !isTelling(result.type)) {
      result.type = fate->type;
      result.pointer = fate->pointer;
    } else if (fate && fate->type && !result.type) {
      result.type = fate->type;
    }
    bool isLibrary = isLibraryFunction(caller.function);
    if (isLibrary)
      result.pointer.clear();
    else if (fate || result.place.line == 0)
      result.place = caller;
    if (fate && !fate->isReturned && !isLibrary) {
      if (result.pointer.empty() && result.type == fate->type)
        result.pointer = fate->pointer;
      mayBePassedOn = false;
    }
    bool isKnown = fate && isTelling(fate->type) && !fate->pointer.empty();
    if ((!fate || isKnown) && !isLibrary)
      mayBePassedOn = false;
  }
  return result;
}

std::optional<Allocations::Fate> Allocations::fateAt(const SourcePlace &place) {
  std::vector<Function *> functions = modules_.findFunctions(place.function, place.file);
  if (functions.empty())
    functions = modules_.findFunctions(place.function);
  for (const Function *function : functions) {
    std::vector<const CallBase *> calls = callsAt(*function, place);
    if (calls.size() != 1)
      continue;
    Fate fate;
    // In front of an exception is what the C++ library knows of it: the block has no type.
    const Function *allocator = calls[0]->getCalledFunction();
    if (!allocator || allocator->getName() != "__cxa_allocate_exception")
      follow(*calls[0], fate, 0);
    return fate;
  }
  return std::nullopt;
}

void Allocations::follow(const Value &block, Fate &fate, unsigned depth) {
  if (depth > kDeepest)
    return;
  for (const User *user : block.users())
    followUse(block, *user, fate, depth);
}

void Allocations::followUse(const Value &block, const User &user, Fate &fate, unsigned depth) {
  if (auto *store = dyn_cast<StoreInst>(&user)) {
    if (store->getValueOperand() == &block)
      followStore(*store, fate, depth);
  } else if (auto *call = dyn_cast<CallBase>(&user)) {
    const Function *callee = call->getCalledFunction();
    if (callee && call->arg_size() && call->getArgOperand(0) == &block)
      if (const DIType *constructed = constructedBy(*callee))
        if (const SourceType *type = types_.get(constructed))
          fate.type = type;
    if (callee && !callee->isDeclaration())
      for (const Argument &argument : callee->args())
        if (argument.getArgNo() < call->arg_size() &&
            call->getArgOperand(argument.getArgNo()) == &block && isOnlyReturned(argument))
          follow(*call, fate, depth + 1);
  } else if (auto *back = dyn_cast<ReturnInst>(&user)) {
    fate.isReturned = true;
    const DISubprogram *subprogram = back->getFunction()->getSubprogram();
    if (!subprogram || !subprogram->getType() || !subprogram->getType()->getTypeArray().size())
      return;
    const SourceType *type = targetOf(types_.get(subprogram->getType()->getTypeArray()[0]));
    if (type && !isTelling(fate.type))
      fate.type = type;
  } else if (isa<CastInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user)) {
    follow(user, fate, depth + 1);
  } else if (auto *element = dyn_cast<GetElementPtrInst>(&user)) {
    // `new T[n]` keeps n in front of the elements.
    APInt offset(64, 0);
    const DataLayout &layout = element->getModule()->getDataLayout();
    bool isSmall = element->accumulateConstantOffset(layout, offset) && offset.ule(16);
    if (isSmall && element->getSourceElementType()->isIntegerTy(8))
      follow(*element, fate, depth + 1);
  }
}

void Allocations::followStore(const StoreInst &store, Fate &fate, unsigned depth) {
  Expressions expressions(*store.getFunction(), types_);
  std::optional<PlaceExpression> place = expressions.accessOf(store, /*isWrite=*/true);
  const SourceType *type = place ? targetOf(place->type) : nullptr;
  if (type && !isTelling(fate.type))
    fate.type = type;
  if (place && fate.pointer.empty())
    fate.pointer = place->subject.itself();
  auto *slot = dyn_cast<AllocaInst>(store.getPointerOperand());
  if (!slot)
    return;
  for (const User *user : slot->users())
    if (auto *load = dyn_cast<LoadInst>(user)) {
      Fate next;
      follow(*load, next, depth + 1);
      fate.isReturned |= next.isReturned;
      if (!isTelling(fate.type) && next.type) {
        fate.type = next.type;
        if (!next.pointer.empty() && isTelling(next.type))
          fate.pointer = next.pointer;
      }
    }
}

} // namespace culprit
