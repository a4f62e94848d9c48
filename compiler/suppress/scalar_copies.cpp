// See scalar_copies.h.
#include "compiler/suppress/scalar_copies.h"

#include "compiler/sites/numbering.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;
namespace {

constexpr char kCopyMetadata[] = "culprit.copy";

/// Into that local, as a whole.
bool isCopyInto(const MemTransferInst &copy, const AllocaInst &local) {
  const DataLayout &layout = local.getModule()->getDataLayout();
  auto *size = dyn_cast<ConstantInt>(copy.getLength());
  return size && copy.getRawDest() == &local && copy.getRawSource() != &local &&
         !copy.isVolatile() &&
         size->getZExtValue() == layout.getTypeStoreSize(local.getAllocatedType());
}

bool usesAsOneValue(const User &user, const AllocaInst &local) {
  if (auto *load = dyn_cast<LoadInst>(&user))
    return load->getType() == local.getAllocatedType() && !load->isVolatile();
  if (auto *store = dyn_cast<StoreInst>(&user))
    return store->getPointerOperand() == &local && store->getValueOperand() != &local &&
           store->getValueOperand()->getType() == local.getAllocatedType() && !store->isVolatile();
  auto *call = dyn_cast<IntrinsicInst>(&user);
  return call && call->isLifetimeStartOrEnd();
}

/// Copies into a local that is used as one value otherwise; none if it is not.
SmallVector<MemTransferInst *, 2> copiesInto(AllocaInst &local) {
  SmallVector<MemTransferInst *, 2> copies;
  Type *type = local.getAllocatedType();
  if (!type->isIntegerTy() && !type->isFloatingPointTy() && !type->isPointerTy())
    return {};
  for (User *user : local.users()) {
    auto *copy = dyn_cast<MemTransferInst>(user);
    if (copy && isCopyInto(*copy, local))
      copies.push_back(copy);
    else if (!usesAsOneValue(*user, local))
      return {};
  }
  return copies;
}

void loadInstead(MemTransferInst &copy, AllocaInst &local) {
  IRBuilder<> builder(&copy);
  LoadInst *load = builder.CreateAlignedLoad(local.getAllocatedType(), copy.getRawSource(),
                                             copy.getSourceAlign().valueOrOne());
  load->setMetadata(kCopyMetadata, MDNode::get(load->getContext(), {}));
  StoreInst *store = builder.CreateAlignedStore(load, &local, local.getAlign());
  if (std::optional<uint32_t> site = siteOf(copy)) {
    attachSite(*load, *site);
    attachSite(*store, *site);
  }
  copy.eraseFromParent();
}

} // namespace

bool wasCopy(const LoadInst &load) {
  return load.hasMetadata(kCopyMetadata);
}

void loadScalarCopies(Module &module, const SuppressedSites &sites) {
  SmallVector<AllocaInst *, 32> locals;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        locals.push_back(local);
  auto isWanted = [&](const MemTransferInst *copy) {
    std::optional<uint32_t> site = siteOf(*copy);
    return site && (sites.points.contains(*site) || sites.probes.contains(*site));
  };
  for (AllocaInst *local : locals) {
    SmallVector<MemTransferInst *, 2> copies = copiesInto(*local);
    if (none_of(copies, isWanted))
      for (MemTransferInst *copy : copies)
        loadInstead(*copy, *local);
  }
}

} // namespace culprit
