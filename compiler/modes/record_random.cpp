// See record_random.h.
//
//   %r = call { i64, i32 } @llvm.x86.rdrand.64()
// becomes
//   %t = call { i64, i64 } asm "TRAP", "={ax},={dx}"()    ; number, whether there was one
// with the parts of %t in the place of those of %r.
#include "compiler/modes/record_random.h"

#include "abi/recording.h"
#include "externals/policy/assembler.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <vector>

namespace culprit {
using namespace llvm;
namespace {

std::string trap(uint8_t number) {
  return fmt::format(".byte 0x67, 0x0f, 0xb9, 0x40, {:#x}", number);
}

/// The trap's number for an intrinsic, 0: it is another one.
uint8_t trapFor(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::x86_rdrand_16:
  case Intrinsic::x86_rdrand_32:
  case Intrinsic::x86_rdrand_64:
    return abi::kTrapRandom;
  case Intrinsic::x86_rdseed_16:
  case Intrinsic::x86_rdseed_32:
  case Intrinsic::x86_rdseed_64:
    return abi::kTrapSeed;
  default:
    return 0;
  }
}

void replaceByTrap(CallBase &call, uint8_t number) {
  IRBuilder<> builder(&call);
  Type *word = builder.getInt64Ty();
  auto *type = FunctionType::get(StructType::get(word, word), false);
  Value *both = builder.CreateCall(
      InlineAsm::get(type, trap(number), "={ax},={dx},~{dirflag},~{fpsr},~{flags}", true));
  auto *result = cast<StructType>(call.getType());
  Value *made = PoisonValue::get(result);
  for (unsigned i = 0; i < 2; ++i)
    made = builder.CreateInsertValue(
        made, builder.CreateTrunc(builder.CreateExtractValue(both, i), result->getElementType(i)),
        i);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

bool isRandom(const CallBase &call) {
  const auto *code = dyn_cast<InlineAsm>(call.getCalledOperand());
  return code && assemblerEffect(code->getAsmString(), code->getConstraintString()) ==
                     AssemblerEffect::Random;
}

} // namespace

void trapRandomNumbers(Function &function) {
  std::vector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      calls.push_back(call);
  for (CallBase *call : calls) {
    if (uint8_t number = trapFor(*call)) {
      replaceByTrap(*call, number);
    } else if (isRandom(*call)) {
      IRBuilder<> builder(call);
      auto *type = FunctionType::get(builder.getVoidTy(), false);
      builder.CreateCall(
          InlineAsm::get(type, trap(abi::kTrapStop), "~{dirflag},~{fpsr},~{flags}", true));
    }
  }
}

} // namespace culprit
