// The instruction that a site stands for, in the stored bitcode.
#ifndef CULPRIT_ANALYSIS_LOCATE_SITE_INSTRUCTION_H
#define CULPRIT_ANALYSIS_LOCATE_SITE_INSTRUCTION_H

#include "compiler/loader/program.h"
#include "compiler/sites/site_lines.h"

#include <functional>
#include <llvm/IR/Instructions.h>

namespace culprit {

/// Hands it to `visit`, with sites attached to its module; not, if there is none.
void atInstruction(const Program &program, const SiteAddress &site,
                   const std::function<void(llvm::Instruction &)> &visit);

/// What `ask` says of it; nothing of what is none.
template <typename Ask>
auto answerAtInstruction(const Program &program, const SiteAddress &site, Ask ask) {
  decltype(ask(std::declval<llvm::Instruction &>())) answer{};
  atInstruction(program, site, [&](llvm::Instruction &instruction) { answer = ask(instruction); });
  return answer;
}

/// What `ask` says of the call at that site.
template <typename Ask> auto answerAt(const Program &program, const SiteAddress &site, Ask ask) {
  return answerAtInstruction(program, site, [&](llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call ? ask(*call) : decltype(ask(*call)){};
  });
}

} // namespace culprit
#endif
