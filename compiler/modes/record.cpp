// Mode `record`: the program with a clock, so that signals can come at the same point again.
//
// A *counted point* is where a loop is entered or repeated, and the entry of a function that calls
// others: no execution goes on for long without passing one. At each, one word in memory counts
// down (abi/recording.h). When it falls below zero the program asks the recorder, by an instruction
// that traps and so disturbs no register: when recording, because a signal is to be given to the
// program; in a replay, because it has come to the point where one was given. Points are placed on
// the pristine code, so every build that has them counts alike.
#include "abi/recording.h"
#include "compiler/modes/mode.h"
#include "compiler/modes/record_processor.h"

#include <fmt/format.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <set>

namespace culprit {
using namespace llvm;
namespace {

/// The trap is away from the code that is executed: behind the function's section.
std::string countedPoint() {
  return fmt::format("decq {:#x}\n\tjs 1f\n2:\n\t.subsection 1\n1:\n\t"
                     ".byte 0x67, 0x0f, 0xb9, 0x40, {:#x}\n\tjmp 2b\n\t.previous",
                     abi::kClockPage, abi::kTrapAsk);
}

bool callsOthers(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (call && !call->isInlineAsm() && !isa<IntrinsicInst>(call))
      return true;
  }
  return false;
}

void addPoint(BasicBlock &block, InlineAsm *code) {
  BasicBlock::iterator place = block.getFirstNonPHIOrDbgOrAlloca();
  if (place == block.end() || place->isEHPad())
    place = block.getFirstInsertionPt();
  if (place == block.end())
    return;
  IRBuilder<> builder(&block, place);
  builder.SetCurrentDebugLocation(place->getDebugLoc());
  if (!builder.getCurrentDebugLocation() && block.getParent()->getSubprogram())
    builder.SetCurrentDebugLocation(
        DILocation::get(block.getContext(), 0, 0, block.getParent()->getSubprogram()));
  builder.CreateCall(code)->setDoesNotThrow();
}

class Record : public Mode {
public:
  const char *name() const override { return "record"; }
  bool records() const override { return true; }

  void onPristine(Module &module, const SiteTable &, const TwinContext &) const override {
    auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
    InlineAsm *code = InlineAsm::get(type, countedPoint(), "~{dirflag},~{fpsr},~{flags}",
                                     /*hasSideEffects=*/true);
    for (Function &function : module)
      if (!function.isDeclaration() && !function.hasFnAttribute(Attribute::Naked)) {
        trapProcessorValues(function);
        addPoints(function, code);
      }
  }

private:
  static void addPoints(Function &function, InlineAsm *code) {
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> edges;
    FindFunctionBackedges(function, edges);
    std::set<const BasicBlock *> headers;
    for (const auto &[from, to] : edges)
      headers.insert(to);
    if (callsOthers(function))
      headers.insert(&function.getEntryBlock());
    for (BasicBlock &block : function)
      if (headers.contains(&block))
        addPoint(block, code);
  }
};

const Record recordMode;
const ModeRegistration registration(recordMode);

} // namespace
} // namespace culprit
