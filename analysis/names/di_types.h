// Source types from the debug metadata of stored bitcode.
#ifndef CULPRIT_ANALYSIS_NAMES_DI_TYPES_H
#define CULPRIT_ANALYSIS_NAMES_DI_TYPES_H

#include "analysis/names/source_type.h"

#include <deque>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace culprit {

/// Owns the types that it makes. Metadata must outlive it.
class DITypes {
public:
  /// Asked for the definition of a record that a module only declares, by qualified name.
  using FindDefinition = std::function<const SourceType *(const std::string &)>;

  explicit DITypes(FindDefinition findDefinition = nullptr)
      : findDefinition_(std::move(findDefinition)) {}
  DITypes(const DITypes &) = delete;
  DITypes &operator=(const DITypes &) = delete;

  /// Null for void.
  const SourceType *get(const llvm::DIType *type);

private:
  const SourceType *make(const llvm::DIType *type);
  void fillArray(SourceType &result, const llvm::DICompositeType &type);
  void addArguments(const llvm::DITemplateParameter &parameter,
                    std::vector<const SourceType *> &arguments);
  const SourceType *fillRecord(SourceType &result, const llvm::DICompositeType &type);
  void fillField(SourceType &result, const llvm::DIDerivedType &field);

  std::deque<SourceType> types_;
  llvm::DenseMap<const llvm::DIType *, const SourceType *> made_;
  FindDefinition findDefinition_;
};

/// `ns::Class<int>`, as the DWARF of the same scope would give it.
std::string qualifiedName(const llvm::DIScope *scope, llvm::StringRef name);

} // namespace culprit
#endif
