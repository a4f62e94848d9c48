// See module.h.
#include "compiler/loader/module.h"

#include "compiler/loader/borrowed.h"
#include "compiler/loader/take_out.h"
#include "support/diagnostics.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace culprit {
using namespace llvm;

namespace {

/// Remarks and warnings of LLVM are about code that was compiled once already; they are not news.
/// The first error is kept: by itself LLVM would end the process.
class FirstError : public DiagnosticHandler {
public:
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error || !text.empty())
      return true;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

  std::string text;
};

} // namespace

std::unique_ptr<Module> readModule(LLVMContext &context, std::string_view bitcode,
                                   const std::string &source) {
  context.setDiagnosticHandler(std::make_unique<FirstError>());
  Expected<std::unique_ptr<Module>> module =
      parseBitcodeFile(MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), source), context);
  if (!module)
    failUsage("cannot read the bitcode of '{}': {}; build the program again", source,
              toString(module.takeError()));
  takeOutProfiling(**module);
  ownBorrowedBodies(**module);
  return std::move(*module);
}

void checkCompiled(const LLVMContext &context, const std::string &source) {
  const auto *handler = static_cast<const FirstError *>(context.getDiagHandlerPtr());
  if (!handler->text.empty())
    failInternal("LLVM could compile a module of '{}' once and cannot do it again: {}", source,
                 StringRef(handler->text).rtrim().str());
}

} // namespace culprit
