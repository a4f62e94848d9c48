// See record_processor.h.
//
//   %r = call { i64, i32 } @llvm.x86.rdrand.64()
// becomes
//   %t = call { i64, i64 } asm "TRAP", "={ax},={dx}"()    ; number, whether there was one
// with the parts of %t in the place of those of %r, and
//   %r = call { i32, i32 } asm "cpuid", "={ax},={bx},0"(i32 1)
// is followed, for each part and for each integer in memory that it sets, by
//   %v = call i64 asm "TRAP", "={ax},{ax}"(i64 %part)
#include "compiler/modes/record_processor.h"

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

/// Of assembler whose results are another machine's or another run's: what it does; else nothing.
const InlineAsm *askingAssembler(const CallBase &call) {
  const auto *code = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!code)
    return nullptr;
  AssemblerEffect effect = assemblerEffect(code->getAsmString(), code->getConstraintString());
  bool isAsking = effect == AssemblerEffect::Random || effect == AssemblerEffect::Machine;
  return isAsking ? code : nullptr;
}

bool isRecordable(const Type *type) {
  return type && type->isIntegerTy() && type->getIntegerBitWidth() <= 64;
}

/// The variables that the assembler sets in memory.
std::vector<unsigned> outputsInMemory(const InlineAsm &code) {
  std::vector<unsigned> arguments;
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo &constraint : code.ParseConstraints()) {
    if (!constraint.hasArg())
      continue;
    if (constraint.Type == InlineAsm::isOutput)
      arguments.push_back(argument);
    ++argument;
  }
  return arguments;
}

bool isRecordable(const CallBase &call, const std::vector<unsigned> &outputs) {
  for (unsigned argument : outputs)
    if (!isRecordable(call.getParamElementType(argument)))
      return false;
  if (const auto *parts = dyn_cast<StructType>(call.getType()))
    return all_of(parts->elements(), [](const Type *part) { return isRecordable(part); });
  return call.getType()->isVoidTy() || isRecordable(call.getType());
}

Value *throughRecorder(IRBuilder<> &builder, Value *value) {
  Type *word = builder.getInt64Ty();
  auto *type = FunctionType::get(word, {word}, false);
  Value *known = builder.CreateCall(
      InlineAsm::get(type, trap(abi::kTrapResult), "={ax},{ax},~{dirflag},~{fpsr},~{flags}", true),
      builder.CreateZExt(value, word));
  return builder.CreateTrunc(known, value->getType());
}

void recordResults(CallBase &call, const std::vector<unsigned> &outputs) {
  IRBuilder<> builder(call.getNextNode());
  for (unsigned argument : outputs) {
    Value *place = call.getArgOperand(argument);
    Type *type = call.getParamElementType(argument);
    builder.CreateStore(throughRecorder(builder, builder.CreateLoad(type, place)), place);
  }
  if (call.getType()->isVoidTy())
    return;
  // A use of its own, so that it is the only one that stays.
  auto *result = cast<Instruction>(builder.CreateFreeze(&call));
  Value *made = result;
  if (auto *parts = dyn_cast<StructType>(call.getType())) {
    for (unsigned i = 0; i < parts->getNumElements(); ++i)
      made = builder.CreateInsertValue(
          made, throughRecorder(builder, builder.CreateExtractValue(result, i)), i);
  } else {
    made = throughRecorder(builder, result);
  }
  call.replaceUsesWithIf(made, [&](const Use &use) { return use.getUser() != result; });
}

void stopBefore(CallBase &call) {
  IRBuilder<> builder(&call);
  auto *type = FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(
      InlineAsm::get(type, trap(abi::kTrapStop), "~{dirflag},~{fpsr},~{flags}", true));
}

} // namespace

void trapProcessorValues(Function &function) {
  std::vector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      calls.push_back(call);
  for (CallBase *call : calls) {
    if (uint8_t number = trapFor(*call)) {
      replaceByTrap(*call, number);
    } else if (const InlineAsm *code = askingAssembler(*call)) {
      std::vector<unsigned> outputs = outputsInMemory(*code);
      if (isa<CallInst>(call) && isRecordable(*call, outputs))
        recordResults(*call, outputs);
      else
        stopBefore(*call);
    }
  }
}

} // namespace culprit
