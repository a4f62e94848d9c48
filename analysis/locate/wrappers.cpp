// See wrappers.h. Read from the stored bitcode.
#include "analysis/locate/wrappers.h"

#include "analysis/locate/site_instruction.h"
#include "analysis/names/returned_value.h"
#include "externals/policy/policy.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

/// What may have been stored to a local where it is loaded, of which nobody else has the address;
/// false: somebody may.
bool takeStored(const AllocaInst &slot, const LoadInst &load,
                SmallVectorImpl<const Value *> &values) {
  for (const User *user : slot.users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (store && store->getPointerOperand() == &slot) {
      if (isPotentiallyReachable(store, &load))
        values.push_back(store->getValueOperand());
    } else if (!isa<LoadInst>(user) && !isa<LifetimeIntrinsic>(user) &&
               !isa<DbgInfoIntrinsic>(user)) {
      return false;
    }
  }
  return true;
}

/// Whether a local holds a parameter from entry on; a constant may stand in for it, as in `if (size
/// == 0) size = 1;`.
bool holdsParameter(const SmallVectorImpl<const Value *> &stored) {
  return any_of(stored, [](const Value *value) { return isa<Argument>(value); }) &&
         all_of(stored,
                [](const Value *value) { return isa<Argument>(value) || isa<Constant>(value); });
}

/// Whether a call makes a number of numbers, as one does that rounds a size.
bool isRounding(const CallBase &call) {
  return call.arg_size() > 0 && call.getType()->isIntegerTy() &&
         all_of(call.args(), [](const Use &use) { return use->getType()->isIntegerTy(); });
}

/// Whether a value is computed from parameters and constants alone; `isAny`: from a parameter. In
/// locals there may be what one parameter was rounded to; what is made of several is decided there.
bool isFromParameters(const Value *value, bool &isAny) {
  SmallPtrSet<const Value *, 16> seen;
  SmallPtrSet<const Value *, 4> parameters;
  SmallVector<const Value *, 16> open{value};
  bool isKept = false;
  while (!open.empty()) {
    const Value *next = open.pop_back_val();
    if (isa<Constant>(next) || !seen.insert(next).second)
      continue;
    if (isa<Argument>(next)) {
      parameters.insert(next);
      continue;
    }
    if (auto *load = dyn_cast<LoadInst>(next)) {
      auto *slot = dyn_cast<AllocaInst>(load->getPointerOperand());
      SmallVector<const Value *, 4> stored;
      if (!slot || !takeStored(*slot, *load, stored))
        return false;
      isKept |= !holdsParameter(stored);
      open.append(stored.begin(), stored.end());
      continue;
    }
    if (auto *call = dyn_cast<CallBase>(next); call && isRounding(*call)) {
      open.append(call->arg_begin(), call->arg_end());
      continue;
    }
    auto *moved = dyn_cast<GetElementPtrInst>(next); // as to the header in front of a block
    bool isMoved = moved && moved->hasAllConstantIndices();
    if (!isMoved && !isa<CastInst>(next) && !isa<BinaryOperator>(next) && !isa<PHINode>(next) &&
        !isa<SelectInst>(next) && !isa<CmpInst>(next) && !isa<FreezeInst>(next))
      return false;
    for (const Value *operand : cast<User>(next)->operands())
      open.push_back(operand);
  }
  isAny |= !parameters.empty();
  return !isKept || parameters.size() == 1;
}

/// Whether the function goes on to use a pointer that it has passed to the call.
bool isUsedAfter(const CallBase &call, const Value &passed) {
  auto *load = dyn_cast<LoadInst>(&passed);
  const Value *slot = load ? load->getPointerOperand() : nullptr;
  if (!slot)
    return false;
  return any_of(slot->users(), [&](const User *user) {
    auto *later = dyn_cast<LoadInst>(user);
    return later && later != load && isPotentiallyReachable(&call, later) &&
           any_of(later->users(), [](const User *use) {
             return isa<GetElementPtrInst>(use) || isa<LoadInst>(use) || isa<CallBase>(use);
           });
  });
}

/// Whether a function stores what a call returns through one of its parameters.
bool isHandedOut(const CallBase &call) {
  SmallPtrSet<const Value *, 8> seen;
  SmallVector<const Value *, 8> open{&call};
  while (!open.empty()) {
    const Value *next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (const User *user : next->users()) {
      auto *store = dyn_cast<StoreInst>(user);
      if (!store && (isa<LoadInst>(user) || isa<CastInst>(user) || isa<GetElementPtrInst>(user)))
        open.push_back(user);
      if (!store || store->getValueOperand() != next)
        continue;
      if (parameterIn(*store->getPointerOperand()))
        return true;
      if (isa<AllocaInst>(store->getPointerOperand()))
        open.push_back(store->getPointerOperand());
    }
  }
  return false;
}

/// Whether a local is there for the memory that a function gets by its address, and then returns.
bool isReturnedSlot(const Value &argument) {
  auto *slot = dyn_cast<AllocaInst>(&argument);
  if (!slot || !slot->getAllocatedType()->isPointerTy() ||
      !slot->getFunction()->getReturnType()->isPointerTy())
    return false;
  return any_of(slot->users(), [](const User *user) {
    return isa<LoadInst>(user) && any_of(user->users(), [](const User *use) {
             auto *store = dyn_cast<StoreInst>(use); // to where a function keeps what it returns
             return isa<ReturnInst>(use) || isa<PHINode>(use) ||
                    (store && store->getValueOperand()->getType()->isPointerTy() &&
                     any_of(store->getPointerOperand()->users(), [](const User *kept) {
                       return isa<LoadInst>(kept) && any_of(kept->users(), [](const User *end) {
                                return isa<ReturnInst>(end);
                              });
                     }));
           });
  });
}

/// Pointers to the state of an allocator that returns memory may come from anywhere: how much is
/// allocated is a number.
bool handsOn(const CallBase &call) {
  bool isAny = false;
  if (!call.getType()->isVoidTy() && call.getFunction()->getReturnType()->isVoidTy() &&
      !isHandedOut(call))
    return false; // it keeps what it gets, or loses it
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const Value *argument = call.getArgOperand(i);
    if (call.getType()->isVoidTy() && isReturnedSlot(*argument))
      continue;
    bool mayBeAny = argument->getType()->isPointerTy() && !call.getType()->isVoidTy();
    if (!call.paramHasAttr(i, Attribute::StructRet) && !isFromParameters(argument, isAny) &&
        !mayBeAny)
      return false;
    if (call.getType()->isVoidTy() && isUsedAfter(call, *argument))
      return false; // a function that frees what it still uses is wrong by itself
  }
  return isAny && isReturnedBehindHeader(call);
}

/// Whether a function changes what its pointers lead to: then it does more than hand something on.
bool changesObjects(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    const Value *object = store ? getUnderlyingObject(store->getPointerOperand()) : nullptr;
    return object && !isa<AllocaInst>(object) && !isa<GlobalVariable>(object);
  });
}

const ExternalFunction *calledRow(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? policy().find(callee->getName().str()) : nullptr;
}

// A call through a pointer is asked about only where it is what has defined a value, so where it
// has left the program: those that return pointers are taken for allocations, those that take one
// and return nothing for frees.

bool allocates(const CallBase &call) {
  const ExternalFunction *row = calledRow(call);
  return row ? row->result.word == "new" : call.isIndirectCall() && call.getType()->isPointerTy();
}

bool releases(const CallBase &call) {
  const ExternalFunction *row = calledRow(call);
  if (!row)
    return call.isIndirectCall() && call.getType()->isVoidTy() && call.arg_size() == 1 &&
           call.getArgOperand(0)->getType()->isPointerTy();
  return row->result.word == "none" && !row->arguments.empty() &&
         row->arguments.front().word == "block";
}

/// The arguments of the call at a site that have one of these roles.
std::vector<unsigned> argumentsThatAre(const Program &program, const SiteAddress &site,
                                       std::initializer_list<std::string_view> roles) {
  return answerAt(program, site, [&](const CallBase &call) {
    std::vector<unsigned> found;
    const ExternalFunction *row = calledRow(call);
    for (unsigned i = 0; row && i < row->arguments.size(); ++i)
      if (is_contained(roles, row->arguments[i].word))
        found.push_back(i);
    return found;
  });
}

/// Whether a function goes one way, by itself, and changes nothing but its locals.
bool decidesNothing(const Function &function) {
  return all_of(instructions(function), [](const Instruction &instruction) {
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return isa<AllocaInst>(store->getPointerOperand());
    if (auto *branch = dyn_cast<BranchInst>(&instruction))
      return branch->isUnconditional();
    return isa<ReturnInst>(instruction) || isa<IntrinsicInst>(instruction) ||
           (!isa<CallBase>(instruction) && !instruction.isTerminator());
  });
}

/// Whether an address is computed from that of an object which the function was handed, and from
/// what else it was.
bool startsFromParameter(const Value *address) {
  while (auto *step = dyn_cast<GEPOperator>(address)) {
    bool isAny = false;
    if (!all_of(step->indices(),
                [&](const Use &index) { return isFromParameters(index.get(), isAny); }))
      return false;
    address = step->getPointerOperand();
  }
  return parameterIn(*address) != nullptr;
}

/// Whether a value is the address of a local, or of a part of one.
bool isLocalAddress(const Value *value) {
  return isa<AllocaInst>(value->stripInBoundsOffsets());
}

} // namespace

bool handsOnParameters(const Program &program, const SiteAddress &site) {
  return answerAt(program, site, handsOn);
}

bool isAllocation(const Program &program, const SiteAddress &site) {
  return answerAt(program, site, allocates);
}

bool isRelease(const Program &program, const SiteAddress &site) {
  return answerAt(program, site, releases);
}

bool worksOnLocal(const Program &program, const SiteAddress &site) {
  return answerAt(program, site, [](const CallBase &call) {
    return call.arg_size() > 0 && isLocalAddress(call.getArgOperand(0));
  });
}

bool makesVariableBlock(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](const Instruction &instruction) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    auto *block = store ? dyn_cast<AllocaInst>(store->getValueOperand()->stripPointerCasts())
                        : dyn_cast<AllocaInst>(&instruction);
    return block && !isa<Constant>(block->getArraySize());
  });
}

bool storesConstant(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](const Instruction &instruction) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    return store && isa<Constant>(store->getValueOperand());
  });
}

bool scalesNumber(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](const Instruction &instruction) {
    bool isProduct =
        instruction.getOpcode() == Instruction::Mul || instruction.getOpcode() == Instruction::Shl;
    return isa<CastInst>(instruction) ||
           (isProduct && any_of(instruction.operands(),
                                [](const Use &use) { return isa<Constant>(use.get()); }));
  });
}

bool handsOutLocal(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](const Instruction &instruction) {
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return isLocalAddress(store->getValueOperand());
    if (auto *end = dyn_cast<ReturnInst>(&instruction))
      return end->getReturnValue() && isLocalAddress(end->getReturnValue());
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && any_of(call->args(), [](const Use &use) { return isLocalAddress(use.get()); });
  });
}

bool wrapsHeap(const Program &program, const SiteAddress &site) {
  return answerAt(program, site, [](const CallBase &call) {
    bool isHandedOn = allocates(call) || (releases(call) && !changesObjects(*call.getFunction()));
    return isHandedOn && handsOn(call);
  });
}

bool leavesUnset(const Program &program, const SiteAddress &site) {
  return answerAt(program, site, [](const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    return allocates(call) && !(callee && callee->getName().ends_with("calloc"));
  });
}

std::vector<unsigned> argumentsThatAreRead(const Program &program, const SiteAddress &site) {
  return argumentsThatAre(program, site, {"string", "in"});
}

std::vector<unsigned> argumentsThatAreWritten(const Program &program, const SiteAddress &site) {
  bool isBuiltIn =
      answerAt(program, site, [](const CallBase &call) { return isa<MemIntrinsic>(call); });
  return isBuiltIn ? std::vector{0U} : argumentsThatAre(program, site, {"out", "inout"});
}

unsigned bytesStored(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](const Instruction &instruction) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    auto *type = store ? dyn_cast<IntegerType>(store->getValueOperand()->getType()) : nullptr;
    return type ? type->getBitWidth() / 8 : 0;
  });
}

std::string calledName(const Program &program, const SiteAddress &site) {
  return answerAt(program, site, [](const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    return callee ? callee->getName().str() : std::string();
  });
}

bool isBehindCookie(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](const Instruction &instruction) {
    auto *moved = dyn_cast<GetElementPtrInst>(&instruction);
    auto *call = moved ? dyn_cast<CallBase>(moved->getPointerOperand()) : nullptr;
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with("_Znam");
  });
}

bool storesToHanded(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](const Instruction &instruction) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    const Value *object = store ? store->getPointerOperand() : nullptr;
    while (auto *step = dyn_cast_or_null<GEPOperator>(object))
      object = step->hasAllConstantIndices() ? step->getPointerOperand() : nullptr;
    auto *load = dyn_cast_or_null<LoadInst>(object);
    return load && parameterIn(*load);
  });
}

bool readsHanded(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](const Instruction &instruction) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    return load && decidesNothing(*load->getFunction()) &&
           startsFromParameter(load->getPointerOperand());
  });
}

std::vector<unsigned> argumentsForSize(const Program &program, const SiteAddress &site,
                                       bool isByContainer) {
  return answerAt(program, site, [&](const CallBase &call) {
    std::vector<unsigned> all, numbers;
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      all.push_back(i);
      if (call.getArgOperand(i)->getType()->isIntegerTy())
        numbers.push_back(i);
    }
    return numbers.empty() && !isByContainer ? all : numbers;
  });
}

} // namespace culprit
