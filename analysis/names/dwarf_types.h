// Source types from the DWARF of a linked image.
#ifndef CULPRIT_ANALYSIS_NAMES_DWARF_TYPES_H
#define CULPRIT_ANALYSIS_NAMES_DWARF_TYPES_H

#include "analysis/names/source_type.h"

#include <deque>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDie.h>
#include <map>

namespace culprit {

/// Owns the types that it makes, for one image. The context must outlive it.
class DwarfTypes {
public:
  explicit DwarfTypes(llvm::DWARFContext &context) : context_(context) {}
  DwarfTypes(const DwarfTypes &) = delete;
  DwarfTypes &operator=(const DwarfTypes &) = delete;

  /// The type that attribute DW_AT_type of `die` names; null for void.
  const SourceType *typeOf(const llvm::DWARFDie &die);
  /// The record of that qualified name, wherever the image defines it; null when it does not.
  const SourceType *definition(const std::string &name);

private:
  const SourceType *get(llvm::DWARFDie die);
  const SourceType *make(const llvm::DWARFDie &die);
  void fillArray(SourceType &result, const llvm::DWARFDie &die);
  void addArguments(const llvm::DWARFDie &parent, std::vector<const SourceType *> &arguments);
  const SourceType *fillRecord(SourceType &result, const llvm::DWARFDie &die);
  void fillField(SourceType &result, const llvm::DWARFDie &die);
  static void fillFunction(SourceType &result, const llvm::DWARFDie &die);
  void indexDefinitions();

  llvm::DWARFContext &context_;
  std::deque<SourceType> types_;
  std::map<uint64_t, const SourceType *> made_; ///< by offset of the entry
  std::map<std::string, llvm::DWARFDie> definitions_;
  bool hasIndex_ = false;
};

/// `ns::Class<int>::name`; `f()::name` inside of functions.
std::string qualifiedName(const llvm::DWARFDie &die);

} // namespace culprit
#endif
