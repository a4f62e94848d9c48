// See site_instruction.h.
#include "analysis/locate/site_instruction.h"

#include "analysis/names/modules.h"

namespace culprit {
using namespace llvm;

void atInstruction(const Program &program, const SiteAddress &site,
                   const std::function<void(Instruction &)> &visit) {
  std::shared_ptr<PristineModules> modules = PristineModules::of(&program);
  size_t index = 0;
  for (const Image *image : program.images())
    for (const Entry *entry : image->modules()) {
      Instruction *instruction =
          entry->id == site.moduleId ? modules->instructionAt(index, site.site) : nullptr;
      if (instruction)
        return visit(*instruction);
      ++index;
    }
}

} // namespace culprit
