// The functions that a program uses and that were not compiled with it: the report of
// `culprit info --externals`.
#ifndef CULPRIT_REPORT_EXTERNALS_INFO_H
#define CULPRIT_REPORT_EXTERNALS_INFO_H

#include "compiler/loader/program.h"
#include "externals/policy/assembler.h"
#include "externals/policy/policy.h"

#include <map>
#include <string>
#include <vector>

namespace culprit {

struct ExternalUse {
  std::string name;
  std::string library;                   ///< file name of who defines it; empty if nobody does
  const ExternalFunction *row = nullptr; ///< null: not in the policy table
  size_t calls = 0;                      ///< places in the source that call it
  std::string first;                     ///< FILE:LINE of one of them

  Category category() const { return row ? row->category : Category::Observe; }
};

/// Assembler in the source.
struct AssemblerUse {
  std::string text;
  std::string place; ///< FILE:LINE; a file alone for assembler outside of functions
  AssemblerEffect effect = AssemblerEffect::Unknown;
};

struct ExternalsInfo {
  std::string program;
  std::vector<ExternalUse> uses; ///< by category, then name
  std::vector<AssemblerUse> assembler;
};

ExternalsInfo describeExternals(const Program &program);
std::string printExternalsInfo(const ExternalsInfo &info);
std::string externalsInfoAsJson(const ExternalsInfo &info);

} // namespace culprit
#endif
