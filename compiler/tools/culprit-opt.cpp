// culprit-opt: prints a module after one of the stages that make a twin. For tests and developers.
//
//   culprit-opt STAGE[:MODE] FILE     STAGE: numbered, marked, flat, promoted, optimised
//
// FILE is LLVM bitcode or text; `-` is standard input. Without MODE, as mode `plain`.
#include "compiler/modes/mode.h"
#include "compiler/twin/optimise.h"
#include "compiler/twin/twin.h"
#include "support/diagnostics.h"

#include <cstdio>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <optional>

namespace {

using namespace culprit;

std::optional<Stage> stageNamed(std::string_view name) {
  static constexpr std::pair<std::string_view, Stage> kStages[] = {{"numbered", Stage::Numbered},
                                                                   {"marked", Stage::Marked},
                                                                   {"flat", Stage::Flat},
                                                                   {"promoted", Stage::Promoted},
                                                                   {"optimised", Stage::Optimised}};
  for (auto [known, stage] : kStages)
    if (name == known)
      return stage;
  return std::nullopt;
}

std::string bitcodeOf(const char *file) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, problem, context);
  if (!module)
    failUsage("cannot read '{}': {}", file, problem.getMessage().str());
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*module, stream);
  return bytes;
}

} // namespace

int main(int argc, char **argv) {
  try {
    std::string_view wanted = argc == 3 ? argv[1] : "";
    size_t colon = wanted.find(':');
    std::optional<Stage> stage = stageNamed(wanted.substr(0, colon));
    if (!stage)
      failUsage("expected 'culprit-opt STAGE[:MODE] FILE' with STAGE one of numbered, marked, "
                "flat, promoted, optimised");
    std::string name(colon == std::string_view::npos ? "plain" : wanted.substr(colon + 1));
    const Mode *mode = findMode(name);
    if (!mode)
      failUsage("there is no mode '{}'", name);
    initialiseTarget();
    fmt::print("{}", printStage(bitcodeOf(argv[2]), *stage, *mode));
  } catch (const Failure &failure) {
    diagnose(Severity::Error, failure.what());
    return static_cast<int>(failure.code());
  }
  return 0;
}
