// Calls of virtual functions, as Expressions sees them; see expression.h.
//
//     %o = load ptr, ptr %shape                     shape
//     %vtable = load ptr, ptr %o                    the virtual table of *shape
//     %slot = getelementptr ptr, ptr %vtable, 2
//     %area = load ptr, ptr %slot
//     call %area(%o)                                shape->area()
#include "analysis/names/expression.h"

#include <llvm/IR/Operator.h>

namespace culprit {
using namespace llvm;

namespace {

struct VirtualCall {
  const LoadInst *table;
  uint64_t index;
};

/// What the call's function pointer was read from, if it looks like a virtual table.
std::optional<VirtualCall> virtualCallOf(const CallBase &call) {
  auto *slot = dyn_cast<LoadInst>(call.getCalledOperand());
  if (!slot || call.arg_empty())
    return std::nullopt;
  const Value *table = slot->getPointerOperand();
  uint64_t index = 0;
  if (auto *element = dyn_cast<GEPOperator>(table)) {
    auto *constant = dyn_cast<ConstantInt>(element->idx_begin()->get());
    if (element->getNumIndices() != 1 || !constant ||
        !element->getSourceElementType()->isPointerTy())
      return std::nullopt;
    index = constant->getZExtValue();
    table = element->getPointerOperand();
  }
  auto *read = dyn_cast<LoadInst>(table);
  return read ? std::optional(VirtualCall{read, index}) : std::nullopt;
}

const std::string *functionAt(const SourceType &type, uint64_t index) {
  for (const VirtualFunction &function : type.virtualFunctions)
    if (function.index == index)
      return &function.name;
  bool hasBase = !type.fields.empty() && type.fields[0].isBase && type.fields[0].bitOffset == 0;
  return hasBase ? functionAt(*type.fields[0].type, index) : nullptr;
}

/// The call that a read serves, whether of the table's address or of its slot.
const CallBase *callServedBy(const Value &read, unsigned depth = 0) {
  for (const User *user : read.users()) {
    auto *call = dyn_cast<CallBase>(user);
    if (call && call->getCalledOperand() == &read)
      return call;
    bool isStep = isa<GEPOperator>(user) || isa<LoadInst>(user);
    if (const CallBase *found = isStep && depth < 2 ? callServedBy(*user, depth + 1) : nullptr)
      return found;
  }
  return nullptr;
}

} // namespace

std::optional<std::string> Expressions::virtualCall(const CallBase &call) const {
  std::optional<VirtualCall> parts = virtualCallOf(call);
  std::optional<PlaceExpression> object =
      parts ? placeOf(parts->table->getPointerOperand()) : std::nullopt;
  const std::string *name =
      object && object->type ? functionAt(*object->type, parts->index) : nullptr;
  if (!name)
    return std::nullopt;
  return object->subject.field(*name).text + "(" + argumentsOf(call, 1) + ")";
}

std::optional<std::string> Expressions::virtualCallOfRead(const Instruction &access) const {
  auto *read = dyn_cast<LoadInst>(&access);
  const CallBase *call = read ? callServedBy(*read) : nullptr;
  return call ? virtualCall(*call) : std::nullopt;
}

} // namespace culprit
