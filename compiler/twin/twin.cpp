// The pipeline from stored bitcode to twin object; see twin.h and modes/mode.h.
#include "compiler/twin/twin.h"

#include "abi/contract.h"
#include "compiler/loader/module.h"
#include "compiler/memory/by_value.h"
#include "compiler/memory/divisions.h"
#include "compiler/memory/flatten.h"
#include "compiler/memory/frames.h"
#include "compiler/memory/globals.h"
#include "compiler/memory/tail_calls.h"
#include "compiler/memory/throws.h"
#include "compiler/memory/uninitialised.h"
#include "compiler/sites/markers.h"
#include "compiler/sites/numbering.h"
#include "compiler/sites/site_lines.h"
#include "compiler/twin/kept_errno.h"
#include "compiler/twin/optimise.h"
#include "compiler/twin/parts.h"
#include "compiler/twin/private_copy.h"
#include "compiler/twin/streams.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace culprit {
using namespace llvm;

namespace {

/// Makes the twin fail to link with a runtime of another contract.
void referToVersion(Module &module) {
  LLVMContext &context = module.getContext();
  Constant *check = module.getOrInsertGlobal(abi::kVersionCheckSymbol, Type::getInt8Ty(context));
  auto *reference = new GlobalVariable(module, check->getType(), /*isConstant=*/true,
                                       GlobalValue::PrivateLinkage, check, "culprit.abi");
  reference->setSection(".data.rel.ro.culprit_abi");
  appendToUsed(module, {reference});
}

/// In a program linked non-PIE every definition binds locally, the runtime's too, and data that is
/// declared elsewhere goes through the GOT (it may live in a shared library).
void bindForExecutable(Module &module) {
  for (GlobalValue &value : module.global_values()) {
    if (value.hasLocalLinkage())
      continue;
    bool isDefinition = !value.isDeclarationForLinker();
    bool isHook = value.getName().starts_with("__culprit_");
    value.setDSOLocal(isDefinition || isHook || !value.hasDefaultVisibility());
  }
  if (NamedMDNode *flags = module.getModuleFlagsMetadata()) {
    SmallVector<Module::ModuleFlagEntry, 8> entries;
    module.getModuleFlagsMetadata(entries);
    flags->clearOperands();
    for (const Module::ModuleFlagEntry &entry : entries)
      if (entry.Key->getString() != "PIC Level" && entry.Key->getString() != "PIE Level")
        module.addModuleFlag(entry.Behavior, entry.Key->getString(), entry.Val);
  }
}

/// Shims have no frames and no sections of their own: whether they are twins or not must not show
/// in the addresses of the program's locals and globals.
MemoryTable makeFlat(Module &module, const FramePlans &plans, const TwinContext &context,
                     bool hasMarkers) {
  if (!context.isShim)
    keepCallers(module);
  announceThrows(module);
  flattenMemory(module);
  fillUninitialised(module, hasMarkers);
  if (!hasMarkers && !context.isShim)
    keepDivisions(module);
  if (context.isShim) {
    keepLocals(module, plans);
    return {};
  }
  FrameTable frames = buildFrames(module, plans, context.moduleId);
  fillAggregates(module, hasMarkers);
  return {std::move(frames), separateGlobals(module, context.moduleId)};
}

/// Makes an open twin of the module, or a part of it; what can be replaced by parts.
std::string openUp(Module &module, const LocalSymbols &locals, const TwinRequest &request) {
  const TwinContext &context = request.context;
  const Function *part = context.part.empty() ? nullptr : module.getFunction(context.part);
  std::string names;
  for (const std::string &name : replaceableFunctions(module, request.forSharedLibrary))
    names += name + "\n";
  locals.share(context.moduleId);
  if (part)
    keepPart(module, *part);
  return names;
}

} // namespace

Twin makeTwin(std::string_view bitcode, const TwinRequest &request) {
  LLVMContext context;
  std::unique_ptr<Module> module = readModule(context, bitcode, request.source);
  const Mode &mode = *request.mode;
  if (request.hasOwnStreams)
    useOwnStreams(*module);
  if (request.isPrivateCopy)
    makePrivateCopy(*module);
  bool isErrnoKept = !request.context.isShim && keepsErrno(*module);
  LocalSymbols locals(*module);
  Twin twin;
  SiteTable table;
  // No failure is one of a shim's.
  bool keepsSitesApart = mode.keepsSitesApart() && !request.context.isShim;
  bool numbersSites = mode.wantsSites() && !request.context.isShim;
  if (numbersSites || mode.wantsPromoted())
    table = numberSites(*module, /*attach=*/mode.wantsPromoted() || keepsSitesApart);
  if (mode.wantsSites())
    twin.sites = table.serialise();
  copyByValueArguments(*module);
  bool isPart = !request.context.part.empty();
  UnsafeLocals unsafe =
      isPart ? readUnsafeLocals(*module, request.unsafeLocals) : findUnsafeLocals(*module);
  if (request.isOpen)
    twin.unsafeLocals = listUnsafeLocals(*module, unsafe);
  FramePlans plans = planFrames(*module, unsafe);
  mode.onPristine(*module, table, request.context);
  if (mode.wantsPromoted())
    insertMarkers(*module);
  twin.memory = makeFlat(*module, plans, request.context, mode.wantsPromoted()).serialise();
  if (mode.wantsPromoted()) {
    if (isPart)
      emptyOthers(*module, request.context.part);
    promote(*module);
    mode.onPromoted(*module, table, request.context);
    if (request.isOpen)
      twin.parts = openUp(*module, locals, request);
    dropMarkers(*module);
  }
  if (mode.wantsSiteLines() && !request.context.isShim)
    replaceLinesBySites(*module, request.context.moduleId);
  referToVersion(*module);
  if (isErrnoKept)
    sayThatErrnoIsKept(*module);
  if (!request.forSharedLibrary)
    bindForExecutable(*module);
  twin.object = optimiseAndEmit(*module, {request.forSharedLibrary, request.separateSections,
                                          !keepsSitesApart, request.source});
  checkCompiled(context, request.source);
  return twin;
}

namespace {

void advance(Module &module, Stage stage, const Mode &mode) {
  useOwnStreams(module);
  SiteTable table = numberSites(module, /*attach=*/true);
  if (stage == Stage::Numbered)
    return;
  copyByValueArguments(module);
  FramePlans plans = planFrames(module, findUnsafeLocals(module));
  mode.onPristine(module, table, {});
  insertMarkers(module);
  if (stage == Stage::Marked)
    return;
  makeFlat(module, plans, {}, /*hasMarkers=*/true);
  if (stage == Stage::Flat)
    return;
  promote(module);
  mode.onPromoted(module, table, {});
  if (stage == Stage::Promoted)
    return;
  dropMarkers(module);
  bindForExecutable(module);
  optimise(module, EmitOptions{});
}

} // namespace

std::string printStage(std::string_view bitcode, Stage stage, const Mode &mode) {
  LLVMContext context;
  std::unique_ptr<Module> module = readModule(context, bitcode, "input");
  advance(*module, stage, mode);
  std::string text;
  raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

} // namespace culprit
