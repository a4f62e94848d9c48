// See module.h.
#include "compiler/loader/module.h"

#include "compiler/loader/borrowed.h"
#include "compiler/loader/take_out.h"
#include "support/diagnostics.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/Support/MemoryBuffer.h>

namespace culprit {
using namespace llvm;

namespace {

/// Remarks and warnings of LLVM are about code that was compiled once already; they are not news.
class Silent : public DiagnosticHandler {
public:
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    return info.getSeverity() != DS_Error;
  }
};

} // namespace

std::unique_ptr<Module> readModule(LLVMContext &context, std::string_view bitcode,
                                   const std::string &source) {
  context.setDiagnosticHandler(std::make_unique<Silent>());
  Expected<std::unique_ptr<Module>> module =
      parseBitcodeFile(MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), source), context);
  if (!module)
    failUsage("cannot read the bitcode of '{}': {}; build the program again", source,
              toString(module.takeError()));
  takeOutProfiling(**module);
  ownBorrowedBodies(**module);
  return std::move(*module);
}

} // namespace culprit
