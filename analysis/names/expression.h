// IR back to source: the expression that an address of the pristine module was written as.
//
// The pristine module is what clang's front end emitted: every named local is in memory, every
// access is a load or store, and the address is a chain of loads and getelementptrs. Read
// backwards, with the types of debug information beside it, the chain is the source expression:
//
//     %n = load ptr, ptr %p                         p
//     %a = getelementptr %struct.node, %n, 0, 2     p->items
//     %e = getelementptr [4 x i32], %a, 0, %i       p->items[i]
//
// An index that cannot be written down is `...`; where any other part is in doubt there is no
// answer. Side effects are not shown: `*p++` is `*p`.
#ifndef CULPRIT_ANALYSIS_NAMES_EXPRESSION_H
#define CULPRIT_ANALYSIS_NAMES_EXPRESSION_H

#include "analysis/names/di_types.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <optional>
#include <string>

namespace culprit {

/// Memory that an expression denotes.
struct PlaceExpression {
  Subject subject;
  const SourceType *type = nullptr; ///< null: not known
  /// Bit-fields: `type` is the record, and the storage unit begins so many bytes into it.
  std::optional<uint64_t> bitFieldUnit;
};

/// A value that an expression yields.
struct ValueExpression {
  std::string text;
  bool isSimple = true;             ///< needs no brackets as an operand
  const SourceType *type = nullptr; ///< null: not known
};

/// The expressions of one function.
class Expressions {
public:
  Expressions(const llvm::Function &function, DITypes &types);

  /// What a pointer points to.
  std::optional<PlaceExpression> placeOf(const llvm::Value *pointer) const;
  std::optional<ValueExpression> valueOf(const llvm::Value *value) const;
  /// What an instruction that accesses memory accesses: the only place of a load, store or atomic,
  /// the destination of a memset, and of a copy the destination or, for reads, the source.
  std::optional<PlaceExpression> accessOf(const llvm::Instruction &instruction, bool isWrite) const;
  /// `shape->area()`, of a call of a virtual function.
  std::optional<std::string> virtualCall(const llvm::CallBase &call) const;
  /// The same, of the reads that find out which function that is.
  std::optional<std::string> virtualCallOfRead(const llvm::Instruction &access) const;

private:
  struct Limit; ///< ends recursion in code that is not what clang emits

  std::optional<PlaceExpression> placeOfGlobal(const llvm::GlobalVariable &global) const;
  std::optional<PlaceExpression> placeOfDeclared(const llvm::Value *value) const;
  std::optional<PlaceExpression> placeOfElement(const llvm::GEPOperator &element) const;
  std::optional<PlaceExpression> stepFirst(const llvm::GEPOperator &element,
                                           const PlaceExpression &base) const;
  std::optional<PlaceExpression> stepBytes(const PlaceExpression &base,
                                           const llvm::Value *index) const;
  std::optional<PlaceExpression> stepField(const PlaceExpression &base, uint64_t offset,
                                           uint64_t size) const;
  PlaceExpression fit(PlaceExpression place, const llvm::Type *wanted) const;
  std::optional<PlaceExpression> narrow(PlaceExpression place, const llvm::Type *access) const;
  std::optional<PlaceExpression> nameBits(const PlaceExpression &place,
                                          const llvm::Instruction &instruction) const;
  std::optional<ValueExpression> valueOfLoad(const llvm::LoadInst &load) const;
  std::optional<ValueExpression> valueOfBinary(const llvm::BinaryOperator &operation) const;
  std::optional<ValueExpression> valueOfCall(const llvm::CallBase &call) const;
  std::optional<ValueExpression> valueOfMethod(const llvm::CallBase &call, llvm::StringRef name,
                                               const SourceType *type) const;
  std::optional<ValueExpression> addressOf(const llvm::Value *pointer) const;
  std::string argumentsOf(const llvm::CallBase &call, unsigned first) const;
  std::string indexText(const llvm::Value *index) const;
  uint64_t sizeOf(const llvm::Type *type) const;

  const llvm::Function &function_;
  const llvm::DataLayout &layout_;
  DITypes &types_;
  mutable unsigned depth_ = 0;
};

} // namespace culprit
#endif
