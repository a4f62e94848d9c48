// Mode `observe`: what functions do that nothing is known of.
//
// Around each call of a function that the program does not define and the policy table does not
// know, and around each call through a pointer, the runtime compares the memory that the call's
// pointers lead to. Known functions cost nothing.
#include "abi/observed.h"
#include "compiler/memory/hooks.h"
#include "compiler/modes/mode.h"
#include "externals/policy/policy.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;
namespace {

bool isKnown(const Function &function, const std::set<std::string> &own) {
  std::string name = function.getName().str();
  if (!function.isDeclaration() || function.isIntrinsic() || own.contains(name))
    return true;
  const ExternalFunction *row = policy().find(name);
  return row && row->category != Category::Observe;
}

bool isObserved(const CallBase &call, const std::set<std::string> &own) {
  if (call.isInlineAsm() || call.isMustTailCall() || isa<CallBrInst>(call))
    return false;
  const auto *function = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return !function || !isKnown(*function, own);
}

class Observer {
public:
  explicit Observer(Module &module)
      : module_(module), pointer_(PointerType::getUnqual(module.getContext())),
        word_(Type::getInt32Ty(module.getContext())) {}

  void observe(CallBase &call) {
    std::vector<Value *> pointers;
    for (Value *argument : call.args())
      if (argument->getType()->isPointerTy())
        pointers.push_back(argument);
    Function &caller = *call.getFunction();
    ArrayType *type = ArrayType::get(pointer_, pointers.size());
    IRBuilder<> entry(&*caller.getEntryBlock().getFirstInsertionPt());
    Value *list = entry.CreateAlloca(type);
    IRBuilder<> builder(&call);
    for (size_t i = 0; i < pointers.size(); ++i)
      builder.CreateStore(pointers[i], builder.CreateConstInBoundsGEP2_64(type, list, 0, i));
    Value *note = builder.CreateCall(
        declareFunction(module_, Hook::__culprit_before_unknown),
        {describe(call), call.getCalledOperand(), list, builder.getInt64(pointers.size())});
    if (Instruction *after = afterwards(call))
      IRBuilder<>(after).CreateCall(declareFunction(module_, Hook::__culprit_after_unknown),
                                    {note});
  }

private:
  /// Where the call has returned; null if it never does.
  static Instruction *afterwards(CallBase &call) {
    if (call.doesNotReturn())
      return nullptr;
    auto *invoke = dyn_cast<InvokeInst>(&call);
    if (!invoke)
      return call.getNextNode();
    BasicBlock *normal = SplitEdge(invoke->getParent(), invoke->getNormalDest());
    return &*normal->getFirstInsertionPt();
  }

  /// An abi::ObservedCall.
  Constant *describe(const CallBase &call) {
    const auto *function = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
    const DILocation *location = call.getDebugLoc();
    Constant *fields[] = {function ? text(function->getName()) : ConstantPointerNull::get(pointer_),
                          location ? text(location->getFilename())
                                   : ConstantPointerNull::get(pointer_),
                          ConstantInt::get(word_, location ? location->getLine() : 0),
                          ConstantInt::get(word_, location ? location->getColumn() : 0)};
    auto *type = StructType::get(module_.getContext(), {pointer_, pointer_, word_, word_});
    return new GlobalVariable(module_, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                              ConstantStruct::get(type, fields), "culprit.observed");
  }

  Constant *text(StringRef words) {
    Constant *bytes = ConstantDataArray::getString(module_.getContext(), words);
    return new GlobalVariable(module_, bytes->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, bytes, "culprit.text");
  }

  Module &module_;
  PointerType *pointer_;
  IntegerType *word_;
};

class Observe : public Mode {
public:
  const char *name() const override { return "observe"; }
  bool wantsOwnFunctions() const override { return true; }

  void onPristine(Module &module, const SiteTable &, const TwinContext &context) const override {
    std::vector<CallBase *> calls;
    for (Function &function : module)
      for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction);
            call && isObserved(*call, *context.ownFunctions))
          calls.push_back(call);
    Observer observer(module);
    for (CallBase *call : calls)
      observer.observe(*call);
  }
};

Observe observe;
const ModeRegistration registration(observe);

} // namespace
} // namespace culprit
