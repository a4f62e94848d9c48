// See flatten.h.
#include "compiler/memory/flatten.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace culprit {
using namespace llvm;

namespace {

/// Facts about pointers and values that only a correct program guarantees.
AttributeMask valuePromises() {
  AttributeMask mask;
  for (Attribute::AttrKind kind :
       {Attribute::NoAlias, Attribute::NonNull, Attribute::Dereferenceable,
        Attribute::DereferenceableOrNull, Attribute::NoUndef, Attribute::NoCapture,
        Attribute::ReadOnly, Attribute::ReadNone, Attribute::WriteOnly, Attribute::Writable,
        Attribute::Initializes, Attribute::Range, Attribute::AllocAlign,
        Attribute::AllocatedPointer, Attribute::DeadOnUnwind, Attribute::NoFree})
    mask.addAttribute(kind);
  return mask;
}

/// Facts about functions of the same sort, and what marks a function as an allocator.
AttributeMask functionPromises() {
  AttributeMask mask;
  for (Attribute::AttrKind kind :
       {Attribute::AllocKind, Attribute::AllocSize, Attribute::MustProgress, Attribute::WillReturn,
        Attribute::NoFree, Attribute::NoSync, Attribute::Speculatable})
    mask.addAttribute(kind);
  mask.addAttribute("alloc-family");
  return mask;
}

AttributeList without(LLVMContext &context, AttributeList attributes, unsigned argumentCount) {
  static const AttributeMask values = valuePromises();
  static const AttributeMask functions = functionPromises();
  attributes = attributes.removeFnAttributes(context, functions);
  attributes = attributes.removeRetAttributes(context, values);
  for (unsigned i = 0; i < argumentCount; ++i)
    if (attributes.hasParamAttrs(i))
      attributes = attributes.removeParamAttributes(context, i, values);
  return attributes;
}

void flattenMetadata(Instruction &instruction) {
  static constexpr unsigned kinds[] = {LLVMContext::MD_tbaa,
                                       LLVMContext::MD_tbaa_struct,
                                       LLVMContext::MD_alias_scope,
                                       LLVMContext::MD_noalias,
                                       LLVMContext::MD_nonnull,
                                       LLVMContext::MD_dereferenceable,
                                       LLVMContext::MD_dereferenceable_or_null,
                                       LLVMContext::MD_align,
                                       LLVMContext::MD_noundef,
                                       LLVMContext::MD_invariant_load,
                                       LLVMContext::MD_invariant_group,
                                       LLVMContext::MD_range};
  if (!instruction.hasMetadataOtherThanDebugLoc())
    return;
  for (unsigned kind : kinds)
    instruction.setMetadata(kind, nullptr);
}

/// Whether assembler text defines a label that can be there only once: not `1:`, nor one with a
/// number of its own (`%=`).
bool definesLabel(StringRef text) {
  SmallVector<StringRef, 8> statements;
  SplitString(text, statements, "\n;");
  return any_of(statements, [](StringRef statement) {
    statement = statement.ltrim();
    StringRef name =
        statement.take_while([](char c) { return isAlnum(c) || c == '_' || c == '.'; });
    return !name.empty() && !isDigit(name[0]) &&
           statement.drop_front(name.size()).ltrim().starts_with(":");
  });
}

/// What was compiled without inlining has its labels once, and must keep them so.
void keepLabelsUnique(CallBase &call) {
  if (const auto *text = dyn_cast<InlineAsm>(call.getCalledOperand()))
    if (definesLabel(text->getAsmString()))
      call.addFnAttr(Attribute::NoDuplicate);
}

void flattenInstruction(Instruction &instruction) {
  flattenMetadata(instruction);
  if (isa<OverflowingBinaryOperator>(instruction)) {
    instruction.setHasNoSignedWrap(false);
    instruction.setHasNoUnsignedWrap(false);
  } else if (isa<PossiblyExactOperator>(instruction)) {
    instruction.setIsExact(false);
  } else if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) {
    address->setNoWrapFlags(GEPNoWrapFlags::none());
  } else if (auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call)) {
    call->setAttributes(without(call->getContext(), call->getAttributes(), call->arg_size()));
    call->addFnAttr(Attribute::NoMerge); // a call that fails has one place in the source
    keepLabelsUnique(*call);
  }
}

/// Loops may run for ever: a hanging program must hang.
void dropLoopPromises(Instruction &terminator) {
  MDNode *loop = terminator.getMetadata(LLVMContext::MD_loop);
  if (!loop)
    return;
  SmallVector<Metadata *, 4> kept{nullptr};
  for (unsigned i = 1; i < loop->getNumOperands(); ++i) {
    auto *property = dyn_cast_or_null<MDNode>(loop->getOperand(i));
    auto *name = property && property->getNumOperands() > 0
                     ? dyn_cast_or_null<MDString>(property->getOperand(0))
                     : nullptr;
    if (!name || name->getString() != "llvm.loop.mustprogress")
      kept.push_back(loop->getOperand(i));
  }
  if (kept.size() == loop->getNumOperands())
    return;
  MDNode *replacement = MDNode::getDistinct(terminator.getContext(), kept);
  replacement->replaceOperandWith(0, replacement);
  terminator.setMetadata(LLVMContext::MD_loop, replacement);
}

/// Intrinsics that only state facts, and `llvm.objectsize`, which is answered now: what the object
/// looks like afterwards is ours, not the program's. A coroutine allocates its frame always: in its
/// caller's frame it could not be used after it is destroyed, and only optimised modes have it
/// there.
void resolveIntrinsics(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (!intrinsic)
      continue;
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::assume:
      intrinsic->eraseFromParent();
      break;
    case Intrinsic::objectsize:
      intrinsic->replaceAllUsesWith(
          lowerObjectSizeCall(intrinsic, layout, nullptr, /*MustSucceed=*/true));
      intrinsic->eraseFromParent();
      break;
    case Intrinsic::coro_alloc:
      intrinsic->replaceAllUsesWith(ConstantInt::getTrue(intrinsic->getContext()));
      intrinsic->eraseFromParent();
      break;
    default:
      break;
    }
  }
}

/// A function built at -O0 is optimised like any other.
void allowOptimisation(Function &function) {
  if (function.hasFnAttribute(Attribute::OptimizeNone)) {
    function.removeFnAttr(Attribute::OptimizeNone);
    if (!function.hasFnAttribute(Attribute::AlwaysInline))
      function.removeFnAttr(Attribute::NoInline);
  }
}

/// Asking where errno is moves what libc has set since the last time (externals/models/
/// error_cells.cpp): each use asks for itself, though the headers call these functions constant.
void forgetConstancy(Module &module) {
  for (const char *name : {"__errno_location", "__h_errno_location"}) {
    Function *function = module.getFunction(name);
    if (!function)
      continue;
    function->removeFnAttr(Attribute::Memory);
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->removeFnAttr(Attribute::Memory);
  }
}

/// Others write to a variable whenever they like, before the first constructor, too: LLVM must not
/// run a constructor itself and make its result the initial value. Only what has a name can be kept
/// so; what -fsanitize=undefined tells its run-time library has none.
void shareGlobals(Module &module) {
  SmallVector<GlobalValue *, 64> shared;
  for (GlobalVariable &global : module.globals())
    if (!global.isDeclaration() && !global.isConstant() && !global.getName().starts_with("llvm.")) {
      global.setExternallyInitialized(true);
      if (!global.hasName())
        global.setName("unnamed");
      shared.push_back(&global);
    }
  if (!shared.empty())
    appendToCompilerUsed(module, shared);
}

} // namespace

void flattenMemory(Module &module) {
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    function.setAttributes(
        without(module.getContext(), function.getAttributes(), function.arg_size()));
    if (function.isDeclaration())
      continue;
    allowOptimisation(function);
    function.addFnAttr(Attribute::NullPointerIsValid);
    function.addFnAttr("frame-pointer", "all"); // the runtime walks stacks at every allocation
    resolveIntrinsics(function);
    for (Instruction &instruction : instructions(function)) {
      flattenInstruction(instruction);
      if (instruction.isTerminator())
        dropLoopPromises(instruction);
    }
  }
  forgetConstancy(module);
  shareGlobals(module);
}

TargetLibraryInfoImpl flatLibraryInfo(const Module &module) {
  TargetLibraryInfoImpl info{Triple(module.getTargetTriple())};
  for (LibFunc function :
       {LibFunc_malloc, LibFunc_calloc, LibFunc_realloc, LibFunc_reallocf, LibFunc_free,
        LibFunc_aligned_alloc, LibFunc_memalign, LibFunc_valloc, LibFunc_vec_malloc,
        LibFunc_vec_calloc, LibFunc_vec_realloc, LibFunc_vec_free, LibFunc_strdup, LibFunc_strndup,
        LibFunc_dunder_strdup, LibFunc_dunder_strndup})
    info.setUnavailable(function);
  const TargetLibraryInfo names{TargetLibraryInfoImpl(info)};
  for (unsigned i = 0; i < NumLibFuncs; ++i) {
    StringRef name = names.getName(static_cast<LibFunc>(i));
    if (name.starts_with("_Zn") || name.starts_with("_Zd"))
      info.setUnavailable(static_cast<LibFunc>(i));
  }
  return info;
}

} // namespace culprit
