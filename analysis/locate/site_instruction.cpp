// See site_instruction.h.
#include "analysis/locate/site_instruction.h"

#include "compiler/loader/module.h"
#include "compiler/sites/numbering.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>

namespace culprit {
using namespace llvm;

void atInstruction(const Program &program, const SiteAddress &site,
                   const std::function<void(Instruction &)> &visit) {
  for (const Image *image : program.images())
    for (const Entry *entry : image->modules()) {
      if (entry->id != site.moduleId)
        continue;
      LLVMContext context;
      std::string bitcode = payloadOf(*image, *entry);
      std::unique_ptr<Module> module = readModule(context, bitcode, image->path.string());
      numberSites(*module, /*attach=*/true);
      for (Function &function : *module)
        for (Instruction &instruction : instructions(function))
          if (siteOf(instruction) == site.site)
            return visit(instruction);
    }
}

} // namespace culprit
