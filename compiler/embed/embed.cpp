// The pass plugin that culprit-cc names to clang: stores a module in what is made of it.
//
// It runs before the first pass, on IR as the front end made it, at every optimisation level. The
// extension point for the start of the pipeline is too late for that: assignment tracking (-O1 and
// above) and IR profiling (-O0) come before it. So the announcement of the first pass is used, and
// the extension point only makes sure that there is a pass to announce. The plugin writes the
// module's bitcode and appends it to the module's assembler text as an entry of section
// `.culprit.bc`. Module assembler is the one carrier that leaves all code, data and debug sections
// as they were and survives -S, -flto and foreign assemblers alike.
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
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>
#include <limits>

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

/// While this lives, bitcode is written without the index by which importers load metadata lazily:
/// nobody does that here, and it is a number per node that does not compress.
class WithoutMetadataIndex {
public:
  WithoutMetadataIndex() {
    auto &options = cl::getRegisteredOptions();
    auto found = options.find("bitcode-mdindex-threshold");
    if (found == options.end())
      return;
    threshold = static_cast<cl::opt<unsigned> *>(found->second);
    saved = threshold->getValue();
    threshold->setValue(std::numeric_limits<unsigned>::max());
  }
  ~WithoutMetadataIndex() {
    if (threshold)
      threshold->setValue(saved);
  }

private:
  cl::opt<unsigned> *threshold = nullptr;
  unsigned saved = 0;
};

/// The module as bitcode, without the symbol table that only linkers read.
SmallString<0> bitcodeOf(Module &module) {
  WithoutMetadataIndex withoutIndex;
  std::string original = module.getSourceFileName();
  module.setSourceFileName(mappedSourceName(module));
  SmallString<0> bitcode;
  bitcode.reserve(256 << 10);
  BitcodeWriter writer(bitcode);
  writer.writeModule(module);
  writer.writeStrtab();
  module.setSourceFileName(original);
  return bitcode;
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

/// Called before every pass. Modules come as const here, but no analysis depends on module asm.
class BeforeFirstPass {
public:
  void operator()(StringRef, Any ir) {
    const auto *module = any_cast<const Module *>(&ir);
    if (!module || *module == seen)
      return;
    seen = *module;
    embed(const_cast<Module &>(*seen));
  }

private:
  const Module *seen = nullptr;
};

void registerCallbacks(PassBuilder &builder) {
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks())
    callbacks->registerBeforeNonSkippedPassCallback(BeforeFirstPass());
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &manager, OptimizationLevel) { manager.addPass(EmbedPass()); });
}

} // namespace
} // namespace culprit

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "culprit-embed", LLVM_VERSION_STRING,
          culprit::registerCallbacks};
}
