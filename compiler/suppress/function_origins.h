// Follows the values of one function: next to each value an origin (abi/origins.h), and around each
// access what happens when the value it depends on is corrupt.
//
// Runs on promoted code with definition markers and skip edges. What an instruction does to
// origins:
//   copies        loads, stores, casts, joins, markers, arguments and results pass the origin on
//   computations  arithmetic, comparisons and addresses define a value at their own site
//   constants     are defined where they are assigned, passed, stored or returned
// A computation with a corrupt operand has a corrupt result. An access through a corrupt address is
// not made; a store of a corrupt value marks its target instead.
#ifndef CULPRIT_COMPILER_SUPPRESS_FUNCTION_ORIGINS_H
#define CULPRIT_COMPILER_SUPPRESS_FUNCTION_ORIGINS_H

#include "compiler/suppress/origin_words.h"
#include "compiler/suppress/origins.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <set>
#include <string>

namespace culprit {

class FunctionOrigins {
public:
  FunctionOrigins(llvm::Function &function, const OriginWords &words, const OriginRequest &request);
  void run();

private:
  // Origins as values. An aggregate has an aggregate of words.
  llvm::Type *originType(llvm::Type *type) const;
  llvm::Value *noneFor(llvm::Type *type) const;
  llvm::Value *originOf(llvm::Value *value) const;
  /// As one word: the origin of a scalar, the flags of an aggregate.
  llvm::Value *wordOf(llvm::IRBuilder<> &builder, llvm::Value *value) const;
  llvm::Value *wordIn(llvm::IRBuilder<> &builder, llvm::Value *origin) const;
  /// A word with the flags of the value; the rest of it means nothing, which spares the code that
  /// makes the origin of what is computed only to be tested.
  llvm::Value *flagsOf(llvm::IRBuilder<> &builder, llvm::Value *value) const;
  llvm::Value *spread(llvm::IRBuilder<> &builder, llvm::Value *word, llvm::Type *type) const;
  /// The origin that `user` hands on for `value`: a constant is defined by it.
  llvm::Value *definedBy(llvm::IRBuilder<> &builder, llvm::Value *value,
                         const llvm::Instruction &user) const;
  bool isNone(llvm::Value *origin) const;
  /// The origin of what is defined here and now, by a site or, in a shim, by its caller.
  llvm::Value *fresh(llvm::IRBuilder<> &builder, uint32_t site) const;
  /// A hook that looks at who called it is called by that instruction's site.
  static void atSiteOf(llvm::CallInst *hook, const llvm::Instruction &instruction);
  bool isPoint(const llvm::Instruction &instruction) const;
  void set(llvm::Value *value, llvm::Value *origin) { origins_[value] = origin; }

  // What each instruction does; function_origins.cpp.
  void takeArguments();
  /// Of the argument with that index, if they are meant for this function.
  llvm::Value *passedOrigin(llvm::IRBuilder<> &builder, unsigned index, llvm::Value *isOurs);
  void takeMarkedArguments(llvm::IRBuilder<> &builder, llvm::Value *meant);
  void clearLocals();
  bool isDeclared(const llvm::AllocaInst &local, uint64_t size) const;
  void visit(llvm::Instruction &instruction);
  void visitLoad(llvm::LoadInst &load);
  void visitStore(llvm::StoreInst &store);
  void visitAtomic(llvm::Instruction &access, llvm::Value *pointer, llvm::Type *type);
  void visitSelect(llvm::SelectInst &select);
  void visitAggregate(llvm::Instruction &instruction);
  void visitReturn(llvm::ReturnInst &end);
  void compute(llvm::Instruction &instruction);
  void copy(llvm::Instruction &instruction);
  void divideSafely(llvm::Instruction &instruction);
  void fillJoins();
  llvm::Value *joined(llvm::PHINode &join, unsigned index);

  // Blocks of memory; memory_origins.cpp.
  void visitMemoryIntrinsic(llvm::MemIntrinsic &call);
  void onlyIfMarked(llvm::IRBuilder<> &builder, const llvm::MemTransferInst *copy,
                    uint64_t size) const;
  bool isByTwin(const llvm::MemIntrinsic &call) const;
  bool isByGranules(const llvm::MemIntrinsic &call) const;
  void replaceByHook(llvm::MemIntrinsic &call, llvm::Value *content);

  // Calls; call_origins.cpp.
  void visitCall(llvm::CallBase &call);
  void visitSteps(llvm::CallInst &call);
  void visitIntrinsic(llvm::IntrinsicInst &call);
  void visitAssembler(llvm::CallBase &call);
  void leaveFrame(llvm::CallBase &frame, llvm::Value *size);
  void callOwn(llvm::CallBase &call);
  /// What a shim is told of a call: its execution, known also where there are only marks.
  llvm::Value *executionOf(llvm::IRBuilder<> &builder, uint32_t site) const;
  bool isShim(llvm::StringRef callee) const;
  bool dependsOnArguments(const llvm::CallBase &call) const;
  void callExternal(llvm::CallBase &call, llvm::StringRef callee);
  void passArguments(llvm::IRBuilder<> &builder, llvm::CallBase &call);
  void passMarks(llvm::IRBuilder<> &builder, llvm::CallBase &call,
                 llvm::ArrayRef<llvm::Value *> origins);
  llvm::Value *takeResult(llvm::IRBuilder<> &builder, llvm::CallBase &call);
  /// Puts the call behind a test; what it yields if it is not made is zero. Returns the place
  /// where both ways have met, and i1: whether it was omitted.
  llvm::Instruction *guard(llvm::CallBase &call, llvm::Value *isOmitted, llvm::Value *&wasOmitted,
                           llvm::Value *&result);
  llvm::Instruction *after(llvm::CallBase &call);

  // Accesses; access_origins.cpp.
  static bool takesBitField(const llvm::Instruction &instruction);
  llvm::Value *loadOrigin(llvm::IRBuilder<> &builder, llvm::Value *pointer, llvm::Type *type,
                          llvm::Align alignment, llvm::Value *address);
  void storeOrigin(llvm::IRBuilder<> &builder, llvm::Value *pointer, llvm::Type *type,
                   llvm::Align alignment, llvm::Value *origin);
  /// The origin after the site had a chance to be suppressed.
  llvm::Value *throughPoint(llvm::IRBuilder<> &builder, const llvm::Instruction &at,
                            llvm::Value *origin, llvm::Value *target = nullptr) const;

  // Probes; probes.cpp.
  void probe(llvm::Instruction &instruction);
  void checkRead(llvm::IRBuilder<> &builder, llvm::LoadInst &load, llvm::Value *origin);
  void probePlace(llvm::IRBuilder<> &builder, uint64_t number, llvm::Value *value);
  void probeOperand(llvm::IRBuilder<> &builder, uint64_t number, llvm::Value *operand);
  void probeAddress(llvm::IRBuilder<> &builder, llvm::Value *pointer);
  void probeComputed(llvm::IRBuilder<> &builder, uint64_t index, llvm::Value *value);
  void probeCondition(llvm::IRBuilder<> &builder, llvm::Value *condition);

  llvm::Function &function_;
  const OriginWords &words_;
  const OriginRequest &request_;
  llvm::Value *callOrigin_ = nullptr; ///< of a shim: of the call that led here
  llvm::Value *call_ = nullptr; ///< of a shim: that call's execution, and whether it is corrupt
  const llvm::DataLayout &layout_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> origins_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> flags_; ///< of origins: see flagsOf()
  llvm::SmallVector<llvm::PHINode *, 16> joins_;
};

} // namespace culprit
#endif
