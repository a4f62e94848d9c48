// Code for origins (abi/origins.h): how they are made, kept in memory and tested.
//
// All accesses to shadows and to the runtime's variables carry alias scopes that part them from the
// program's own accesses, so that LLVM can keep a word that it has loaded over a store of the
// program.
#ifndef CULPRIT_COMPILER_SUPPRESS_ORIGIN_WORDS_H
#define CULPRIT_COMPILER_SUPPRESS_ORIGIN_WORDS_H

#include "compiler/memory/hooks.h"

#include <llvm/IR/IRBuilder.h>

namespace culprit {

class OriginWords {
public:
  /// `hasMarks`: see mark_words.cpp.
  OriginWords(llvm::Module &module, uint64_t firstSite, bool hasMarks = false);

  llvm::Module &module() const { return module_; }
  bool hasMarks() const { return hasMarks_; }
  llvm::IntegerType *word() const { return word_; }
  llvm::ConstantInt *none() const { return llvm::ConstantInt::get(word_, 0); }
  llvm::ConstantInt *number(uint64_t value) const { return llvm::ConstantInt::get(word_, value); }
  /// The program's number of one of this module's sites.
  uint64_t global(uint32_t site) const { return firstSite_ + site; }

  /// The execution of a site here and now, as an origin.
  llvm::Value *execution(llvm::IRBuilder<> &builder, uint32_t site) const;
  /// The origin of what is defined here and now.
  llvm::Value *fresh(llvm::IRBuilder<> &builder, uint32_t site) const;
  void countUp(llvm::IRBuilder<> &builder, Hook counter) const;

  llvm::Value *load(llvm::IRBuilder<> &builder, llvm::Value *pointer, uint64_t size,
                    llvm::Align alignment) const;
  /// May end the builder's block and go on in a new one.
  void store(llvm::IRBuilder<> &builder, llvm::Value *pointer, uint64_t size, llvm::Align alignment,
             llvm::Value *origin) const;

  /// Nothing has defined those whole granules.
  void clear(llvm::IRBuilder<> &builder, llvm::Value *pointer, uint64_t size) const;

  /// All of those whole granules have that origin. For sizes that are small.
  void fill(llvm::IRBuilder<> &builder, llvm::Value *pointer, uint64_t size,
            llvm::Value *origin) const;
  /// Copies the origins of those whole granules. Returns the call that does it where some are
  /// mixed.
  llvm::CallInst *copy(llvm::IRBuilder<> &builder, llvm::Value *to, llvm::Value *from,
                       uint64_t size) const;
  /// Whether the size of memory with that alignment is small, and covers whole granules.
  static bool isFewGranules(uint64_t size, llvm::Align alignment);

  /// Whether the origin's value was suppressed, as i1.
  llvm::Value *isCorrupt(llvm::IRBuilder<> &builder, llvm::Value *origin) const;
  /// Those flags that what is computed from a value inherits.
  llvm::Value *inherited(llvm::IRBuilder<> &builder, llvm::Value *origin) const;
  llvm::Value *orTogether(llvm::IRBuilder<> &builder, llvm::Value *a, llvm::Value *b) const;
  /// What hooks are told of a value: marks have no form of their own.
  llvm::Value *forHook(llvm::IRBuilder<> &builder, llvm::Value *origin) const;

  /// A word of the runtime's variable `hook`, the one with that index.
  llvm::Value *loadVariable(llvm::IRBuilder<> &builder, Hook hook, unsigned index) const;
  void storeVariable(llvm::IRBuilder<> &builder, Hook hook, unsigned index,
                     llvm::Value *value) const;
  llvm::CallInst *call(llvm::IRBuilder<> &builder, Hook hook,
                       llvm::ArrayRef<llvm::Value *> arguments) const;

  /// Marks an access as the program's.
  void markProgram(llvm::Instruction &access) const;
  llvm::MDNode *unlikely() const;

  /// Of marks: whether a byte of that memory has one; not 0 if so. For sizes that are small.
  llvm::Value *loadMarks(llvm::IRBuilder<> &builder, llvm::Value *pointer, uint64_t size) const;
  static constexpr uint64_t kLargestMarked = 64;

private:
  llvm::Value *markPlace(llvm::IRBuilder<> &builder, llvm::Value *pointer) const;
  void storeMarks(llvm::IRBuilder<> &builder, llvm::Value *pointer, uint64_t size,
                  llvm::Value *origin) const;
  llvm::Value *shadow(llvm::IRBuilder<> &builder, llvm::Value *pointer) const;
  /// Of an open granule, whose word this is: where the word of the byte so far behind `pointer` is.
  llvm::Value *wordOfByte(llvm::IRBuilder<> &builder, llvm::Value *granule, llvm::Value *pointer,
                          uint64_t offset = 0) const;
  llvm::Value *isOpen(llvm::IRBuilder<> &builder, llvm::Value *granule,
                      bool wantsBytes = false) const;
  llvm::Value *callLoad(llvm::IRBuilder<> &builder, llvm::Value *pointer, uint64_t size) const;
  /// The origin of a value whose word in the shadow does not tell.
  llvm::Value *loadUnclear(llvm::IRBuilder<> &builder, llvm::Value *granule, llvm::Value *pointer,
                           uint64_t size, llvm::Align alignment) const;
  void storePart(llvm::IRBuilder<> &builder, llvm::Value *place, llvm::Value *pointer,
                 uint64_t size, llvm::Value *origin) const;
  llvm::Value *variable(llvm::IRBuilder<> &builder, Hook hook, unsigned index) const;
  template <typename Access> Access *own(Access *access) const {
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, ownScope_);
    access->setMetadata(llvm::LLVMContext::MD_noalias, programScope_);
    return access;
  }

  llvm::Module &module_;
  llvm::IntegerType *word_;
  uint64_t firstSite_;
  bool hasMarks_;
  llvm::MDNode *programScope_, *ownScope_;
};

} // namespace culprit
#endif
