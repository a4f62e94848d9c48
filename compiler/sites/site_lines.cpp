// See site_lines.h.
#include "compiler/sites/site_lines.h"

#include "compiler/sites/numbering.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

namespace culprit {
using namespace llvm;

namespace {

constexpr std::string_view kSiteFilePrefix = "culprit-site:";

DISubprogram *subprogramOf(Function &function, DIFile *file) {
  if (DISubprogram *known = function.getSubprogram())
    return known;
  NamedMDNode *units = function.getParent()->getNamedMetadata("llvm.dbg.cu");
  if (!units || units->getNumOperands() == 0)
    return nullptr;
  LLVMContext &context = function.getContext();
  auto *type = DISubroutineType::get(context, DINode::FlagZero, 0, MDTuple::get(context, {}));
  auto *made = DISubprogram::getDistinct(context, file, function.getName(), function.getName(),
                                         file, 0, type, 0, nullptr, 0, 0, DINode::FlagArtificial,
                                         DISubprogram::SPFlagDefinition,
                                         cast<DICompileUnit>(units->getOperand(0)));
  function.setSubprogram(made);
  return made;
}

} // namespace

void replaceLinesBySites(Module &module, const std::string &moduleId) {
  LLVMContext &context = module.getContext();
  DIFile *file = DIFile::get(context, std::string(kSiteFilePrefix) + moduleId, "");
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    DISubprogram *subprogram = subprogramOf(function, file);
    if (!subprogram)
      continue;
    auto *scope = DILexicalBlockFile::get(context, subprogram, file, 0);
    for (Instruction &instruction : instructions(function)) {
      std::optional<uint32_t> site = siteOf(instruction);
      instruction.setDebugLoc(DILocation::get(context, site ? *site + 1 : 0, 0, scope));
    }
  }
}

std::optional<SiteAddress> siteFromLine(std::string_view file, uint32_t line) {
  size_t start = file.find(kSiteFilePrefix);
  if (start == std::string_view::npos || line == 0)
    return std::nullopt;
  return SiteAddress{std::string(file.substr(start + kSiteFilePrefix.size())), line - 1};
}

} // namespace culprit
