// The pass plugin that culprit-cc names to clang: stores a module in what is made of it.
//
// It runs at the very start of clang's pipeline, on IR as the front end made it, at every
// optimisation level. It writes the module's bitcode and appends it to the module's assembler text
// as an entry of section `.culprit.bc`. Module assembler is the one carrier that leaves all code,
// data and debug sections as they were and survives -S, -flto and foreign assemblers alike.
//
// One instrumentation comes even before that start: at -O0 clang runs IR profiling
// (-fprofile-generate) first. The entry is then made when that pass is announced.
//
// A module that a sanitizer with a memory model of its own is about to instrument gets a mark with
// the reason instead: its twin would not be that program. Targets other than x86-64 ELF are left
// alone. docs/FLAGS.md lists what each flag comes to.
#include "compiler/embed/entry.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/JSON.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>

using namespace llvm;

namespace culprit {
namespace {

struct SanitizerAttribute {
  Attribute::AttrKind kind;
  const char *flag;
};

constexpr SanitizerAttribute kForeign[] = {
    {Attribute::SanitizeAddress, "-fsanitize=address"},
    {Attribute::SanitizeHWAddress, "-fsanitize=hwaddress"},
    {Attribute::SanitizeThread, "-fsanitize=thread"},
    {Attribute::SanitizeMemory, "-fsanitize=memory"},
    {Attribute::SanitizeMemTag, "-fsanitize=memtag"},
    {Attribute::SanitizeNumericalStability, "-fsanitize=numerical"},
    {Attribute::SafeStack, "-fsanitize=safe-stack"},
    {Attribute::ShadowCallStack, "-fsanitize=shadow-call-stack"},
};

/// Why this module is kept out of analysis, or empty. The wrapper names the sanitizers that it sees
/// on the command line; attributes tell for IR that came from elsewhere.
std::string foreignReason(const Module &module) {
  if (const char *reason = std::getenv("CULPRIT_FOREIGN"))
    return reason;
  for (const Function &function : module)
    for (const SanitizerAttribute &attribute : kForeign)
      if (function.hasFnAttribute(attribute.kind))
        return attribute.flag;
  return "";
}

/// The source file as debug info names it: unlike the module's own name, clang has applied the
/// user's prefix maps to it.
std::string mappedSourceName(const Module &module) {
  for (const DICompileUnit *unit : module.debug_compile_units())
    return unit->getFilename().str();
  return module.getSourceFileName();
}

std::string bitcodeOf(Module &module) {
  std::string original = module.getSourceFileName();
  module.setSourceFileName(mappedSourceName(module));
  SmallString<0> bitcode;
  bitcode.reserve(256 << 10);
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  module.setSourceFileName(original);
  return std::string(bitcode);
}

std::string entryFor(Module &module) {
  std::string reason = foreignReason(module);
  if (reason.empty())
    return makeEntry(abi::EntryKind::Module, bitcodeOf(module), LLVM_VERSION_MAJOR);
  json::Object mark{{"source", mappedSourceName(module)}, {"reason", reason}};
  std::string text;
  raw_string_ostream(text) << json::Value(std::move(mark));
  return makeEntry(abi::EntryKind::Foreign, text);
}

/// Adds the entry, unless the module has one (IR that was compiled here before) or is not for us.
void embed(Module &module) {
  Triple target(module.getTargetTriple());
  if (target.getArch() == Triple::x86_64 && target.isOSBinFormatELF() && !target.isX32() &&
      !assemblerHasEntry(module.getModuleInlineAsm()))
    module.appendModuleInlineAsm(entryAsAssembler(entryFor(module)));
}

struct EmbedPass : PassInfoMixin<EmbedPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    embed(module);
    return PreservedAnalyses::all();
  }

  static bool isRequired() { return true; }
};

void beforePass(StringRef pass, Any ir) {
  if (pass != "PGOInstrumentationGen")
    return;
  // Callbacks see modules as const; module asm is nothing that any analysis depends on.
  if (const auto *module = any_cast<const Module *>(&ir))
    embed(const_cast<Module &>(**module));
}

void registerCallbacks(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &manager, OptimizationLevel) { manager.addPass(EmbedPass()); });
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks())
    callbacks->registerBeforeNonSkippedPassCallback(beforePass);
}

} // namespace
} // namespace culprit

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "culprit-embed", LLVM_VERSION_STRING,
          culprit::registerCallbacks};
}
