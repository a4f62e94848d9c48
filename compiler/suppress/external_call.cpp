// See external_call.h.
#include "compiler/suppress/external_call.h"

#include "abi/external_call.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

namespace culprit {
using namespace llvm;

namespace {

abi::ArgumentRole roleOf(const ExternalRole &role) {
  using Role = abi::ArgumentRole;
  return StringSwitch<Role>(role.word)
      .Cases("in", "reach-in", Role::In)
      .Case("out", Role::Out)
      .Cases("inout", "reach-out", "opaque", Role::InOut)
      .Case("string", Role::Text)
      .Case("wstring", Role::WideText)
      .Case("strings", Role::Texts)
      .Case("format", Role::Format)
      .Case("scan", Role::Scan)
      .Case("block", Role::Block)
      .Default(Role::Value);
}

abi::SizeKind sizeOf(const ExternalSize &size) {
  switch (size.kind) {
  case ExternalSize::Kind::None:
    return abi::SizeKind::None;
  case ExternalSize::Kind::Bytes:
    return abi::SizeKind::Bytes;
  case ExternalSize::Kind::Argument:
    return abi::SizeKind::Argument;
  case ExternalSize::Kind::Pointed:
    return abi::SizeKind::Pointed;
  case ExternalSize::Kind::Result:
    return abi::SizeKind::Result;
  case ExternalSize::Kind::Text:
    return abi::SizeKind::Text;
  }
  return abi::SizeKind::None;
}

abi::ResultRole resultOf(const ExternalRole &role) {
  return StringSwitch<abi::ResultRole>(role.word)
      .Case("new", abi::ResultRole::Block)
      .Cases("same", "within", abi::ResultRole::Same)
      .Case("noreturn", abi::ResultRole::NoReturn)
      .Default(abi::ResultRole::Value);
}

class Describer {
public:
  explicit Describer(Module &module)
      : module_(module), half_(Type::getInt32Ty(module.getContext())),
        word_(Type::getInt64Ty(module.getContext())) {}

  Constant *describe(const std::string &name, const ExternalFunction *row, uint64_t site,
                     bool isFollowed) {
    ExternalFunction unknown;
    const ExternalFunction &known = row ? *row : unknown;
    std::vector<Constant *> arguments;
    for (size_t i = 0; i < abi::kMostExternalArguments; ++i)
      arguments.push_back(
          argument(i < known.arguments.size() ? known.arguments[i] : ExternalRole()));
    ArrayType *list = ArrayType::get(arguments.front()->getType(), arguments.size());
    Constant *fields[] = {word(site),
                          text(name),
                          half(static_cast<uint32_t>(resultOf(known.result))),
                          half(known.result.argument),
                          half(static_cast<uint32_t>(known.arguments.size())),
                          half(isFollowed ? 1 : 0),
                          ConstantArray::get(list, arguments)};
    auto *value = ConstantStruct::getAnon(module_.getContext(), fields);
    return new GlobalVariable(module_, value->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, value, "culprit.external");
  }

private:
  Constant *argument(const ExternalRole &role) {
    Constant *fields[] = {half(static_cast<uint32_t>(roleOf(role))),
                          half(static_cast<uint32_t>(sizeOf(role.size))), half(role.size.first),
                          half(role.size.second), word(role.size.bytes)};
    return ConstantStruct::getAnon(module_.getContext(), fields);
  }

  Constant *text(const std::string &words) {
    Constant *bytes = ConstantDataArray::getString(module_.getContext(), words);
    return new GlobalVariable(module_, bytes->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, bytes, "culprit.text");
  }

  Constant *half(uint32_t value) { return ConstantInt::get(half_, value); }
  Constant *word(uint64_t value) { return ConstantInt::get(word_, value); }

  Module &module_;
  IntegerType *half_, *word_;
};

} // namespace

Constant *describeExternal(Module &module, const std::string &name, const ExternalFunction *row,
                           uint64_t site, bool isFollowed) {
  return Describer(module).describe(name, row, site, isFollowed);
}

} // namespace culprit
