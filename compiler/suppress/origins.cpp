// See origins.h.
#include "compiler/suppress/origins.h"

#include "compiler/suppress/function_origins.h"
#include "compiler/suppress/outside_addresses.h"
#include "compiler/suppress/skip_edges.h"
#include "support/diagnostics.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace culprit {
using namespace llvm;

namespace {

bool isWanted(const Function &function, const std::string &part) {
  return part.empty() || function.getName() == part ||
         function.hasFnAttribute(Attribute::AlwaysInline);
}

} // namespace

void followOrigins(Module &module, const OriginRequest &request) {
  OriginWords words(module, request.firstSite, request.hasMarks);
  std::vector<Function *> own;
  for (Function &function : module)
    if (canBeSuppressed(function) && isWanted(function, request.part))
      own.push_back(&function);
  OriginRequest asShim = request;
  asShim.isShim = true;
  asShim.sites = {};
  for (Function *caller : replaceOutsideAddresses(module, request))
    FunctionOrigins(*caller, words, asShim).run();
  for (Function *function : own)
    FunctionOrigins(*function, words, request).run();
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream))
    failInternal("origin tracking has made '{}' invalid: {}", module.getSourceFileName(),
                 problem.substr(0, 1000));
}

} // namespace culprit
