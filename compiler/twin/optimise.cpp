// See optimise.h.
#include "compiler/twin/optimise.h"

#include "compiler/memory/flat_alias.h"
#include "compiler/memory/flatten.h"
#include "support/diagnostics.h"

#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace culprit {
using namespace llvm;

namespace {

TargetOptions optionsFor(const EmitOptions &emit) {
  TargetOptions options;
  options.FunctionSections = emit.separateSections;
  options.DataSections = emit.separateSections;
  options.UseInitArray = true;
  options.TrapUnreachable = true;
  options.NoTrapAfterNoreturn = true;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  return options;
}

std::unique_ptr<TargetMachine> machineFor(const Module &module, const EmitOptions &options) {
  std::string reason;
  const Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), reason);
  if (!target)
    failUsage("'{}' was compiled for '{}', which culprit cannot rebuild: {}", options.source,
              module.getTargetTriple(), reason);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      module.getTargetTriple(), "x86-64", "", optionsFor(options),
      options.positionIndependent ? Reloc::PIC_ : Reloc::Static, module.getCodeModel(),
      options.optimised ? CodeGenOptLevel::Default : CodeGenOptLevel::None));
}

/// The four analysis managers, with our alias analysis in place of LLVM's and allocators unknown.
struct Analyses {
  Analyses(Module &module, TargetMachine *machine)
      : library(flatLibraryInfo(module)), builder(machine, tuning()) {
    functions.registerPass([] { return FlatAliasAnalysis(); });
    functions.registerPass([] {
      AAManager manager;
      manager.registerFunctionAnalysis<FlatAliasAnalysis>();
      manager.registerFunctionAnalysis<ScopedNoAliasAA>(); // only of scopes that modes put in
      return manager;
    });
    functions.registerPass([this] { return TargetLibraryAnalysis(library); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);
  }

  static PipelineTuningOptions tuning() {
    PipelineTuningOptions options;
    options.LoopVectorization = true;
    options.SLPVectorization = true;
    options.LoopInterleaving = true;
    return options;
  }

  TargetLibraryInfoImpl library;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  PassBuilder builder;
};

void optimiseFor(Module &module, TargetMachine *machine, bool optimised) {
  Analyses analyses(module, machine);
  ModulePassManager passes;
  if (optimised) {
    passes = analyses.builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2);
  } else {
    passes.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
    passes.addPass(analyses.builder.buildO0DefaultPipeline(OptimizationLevel::O0));
  }
  passes.run(module, analyses.modules);
}

} // namespace

void initialiseTarget() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
}

void promote(Module &module) {
  Analyses analyses(module, nullptr);
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
  passes.run(module, analyses.modules);
}

void optimise(Module &module, const EmitOptions &options) {
  std::unique_ptr<TargetMachine> machine = machineFor(module, options);
  optimiseFor(module, machine.get(), options.optimised);
}

std::string optimiseAndEmit(Module &module, const EmitOptions &options) {
  std::unique_ptr<TargetMachine> machine = machineFor(module, options);
  optimiseFor(module, machine.get(), options.optimised);
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager emission;
  emission.add(new TargetLibraryInfoWrapperPass(flatLibraryInfo(module)));
  if (machine->addPassesToEmitFile(emission, stream, nullptr, CodeGenFileType::ObjectFile))
    failInternal("LLVM cannot emit an object for '{}'", options.source);
  emission.run(module);
  return std::string(bytes.str());
}

} // namespace culprit
