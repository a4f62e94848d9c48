// Values of Expressions; see expression.h.
#include "analysis/names/expression_limit.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

const char *signOf(Instruction::BinaryOps operation) {
  switch (operation) {
  case Instruction::Add:
  case Instruction::FAdd:
    return "+";
  case Instruction::Sub:
  case Instruction::FSub:
    return "-";
  case Instruction::Mul:
  case Instruction::FMul:
    return "*";
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::FDiv:
    return "/";
  case Instruction::URem:
  case Instruction::SRem:
    return "%";
  case Instruction::Shl:
    return "<<";
  case Instruction::LShr:
  case Instruction::AShr:
    return ">>";
  case Instruction::And:
    return "&";
  case Instruction::Or:
    return "|";
  case Instruction::Xor:
    return "^";
  default:
    return nullptr;
  }
}

std::string operand(const ValueExpression &value) {
  return value.isSimple ? value.text : "(" + value.text + ")";
}

/// `ns::Class<int>::method(int)` to `method`.
std::string baseName(StringRef linkName) {
  ItaniumPartialDemangler demangler;
  std::string text = linkName.str();
  if (demangler.partialDemangle(text.c_str()) || !demangler.isFunction())
    return text;
  size_t size = 0;
  char *name = demangler.getFunctionBaseName(nullptr, &size);
  std::string result = name ? name : text;
  std::free(name);
  return result;
}

bool isMethod(const Function &callee) {
  const DISubprogram *subprogram = callee.getSubprogram();
  if (subprogram && subprogram->getType()) {
    DITypeRefArray types = subprogram->getType()->getTypeArray();
    return types.size() > 1 && types[1] && (types[1]->getFlags() & DINode::FlagObjectPointer);
  }
  return false;
}

/// `get<1UL, int, char>` of the standard library as it is written: all but the first are deduced.
std::string callName(const DISubprogram &function) {
  std::string name = function.getName().str();
  const auto *scope = dyn_cast_or_null<DINamespace>(function.getScope());
  if (!scope || scope->getName() != "std" ||
      !(name.starts_with("get<") || name.starts_with("get_if<")))
    return name;
  size_t begin = name.find('<') + 1, end = begin;
  for (int depth = 0; end < name.size() && (depth > 0 || (name[end] != ',' && name[end] != '>'));
       ++end)
    depth += name[end] == '<' ? 1 : name[end] == '>' ? -1 : 0;
  std::string first = name.substr(begin, end - begin);
  if (isdigit(static_cast<unsigned char>(first[0])))
    first = first.substr(0, first.find_first_not_of("0123456789"));
  return "std::" + name.substr(0, begin) + first + ">";
}

/// Whether the callee takes its argument of that number by reference.
bool isByReference(const CallBase &call, unsigned number) {
  const Function *callee = call.getCalledFunction();
  const DISubprogram *function = callee ? callee->getSubprogram() : nullptr;
  if (!function || !function->getType() || call.hasStructRetAttr())
    return false;
  DITypeRefArray types = function->getType()->getTypeArray();
  const DIType *type = number + 1 < types.size() ? types[number + 1] : nullptr;
  return type && (type->getTag() == dwarf::DW_TAG_reference_type ||
                  type->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

} // namespace

std::optional<ValueExpression> Expressions::valueOf(const Value *value) const {
  Limit limit(depth_);
  if (limit.isReached())
    return std::nullopt;
  if (auto *number = dyn_cast<ConstantInt>(value)) {
    if (number->getBitWidth() > 64)
      return std::nullopt;
    std::string text =
        std::to_string(number->getBitWidth() == 1 ? static_cast<int64_t>(number->getZExtValue())
                                                  : number->getSExtValue());
    return ValueExpression{text, text[0] != '-', nullptr};
  }
  if (isa<ConstantPointerNull>(value))
    return ValueExpression{"0", true, nullptr};
  if (auto *load = dyn_cast<LoadInst>(value))
    return valueOfLoad(*load);
  if (auto *cast = dyn_cast<CastInst>(value)) {
    std::optional<ValueExpression> inner = valueOf(cast->getOperand(0));
    if (inner && (cast->getSrcTy()->isPointerTy() != cast->getDestTy()->isPointerTy()))
      return std::nullopt;
    return inner;
  }
  if (auto *freeze = dyn_cast<FreezeInst>(value))
    return valueOf(freeze->getOperand(0));
  if (auto *operation = dyn_cast<BinaryOperator>(value))
    return valueOfBinary(*operation);
  if (auto *call = dyn_cast<CallBase>(value); call && !isa<IntrinsicInst>(value))
    return valueOfCall(*call);
  if (value->getType()->isPointerTy() && !isa<PHINode>(value) && !isa<SelectInst>(value) &&
      !isa<ConstantExpr>(value))
    return isa<AllocaInst>(value) || isa<GlobalVariable>(value) || isa<GEPOperator>(value)
               ? addressOf(value)
               : std::nullopt;
  return isa<GEPOperator>(value) ? addressOf(value) : std::nullopt;
}

/// `&x`, or the name of an array.
std::optional<ValueExpression> Expressions::addressOf(const Value *pointer) const {
  std::optional<PlaceExpression> place = placeOf(pointer);
  if (!place || place->bitFieldUnit)
    return std::nullopt;
  if (place->subject.isPointer)
    return ValueExpression{place->subject.text, true, nullptr};
  if (place->type && place->type->kind == TypeKind::Array)
    return ValueExpression{place->subject.text, true, nullptr};
  constexpr std::string_view kFirst = "[0]"; // clang's way to say an array's name
  std::string text = place->subject.text;
  if (text.ends_with(kFirst))
    return ValueExpression{text.substr(0, text.size() - kFirst.size()), true, nullptr};
  return ValueExpression{"&" + text, false, nullptr};
}

std::optional<ValueExpression> Expressions::valueOfLoad(const LoadInst &load) const {
  std::optional<PlaceExpression> place = accessOf(load, /*isWrite=*/false);
  if (!place)
    return std::nullopt;
  bool isDereference = place->subject.isPointer;
  return ValueExpression{place->subject.itself(), !isDereference, place->type};
}

std::optional<ValueExpression> Expressions::valueOfBinary(const BinaryOperator &operation) const {
  const char *sign = signOf(operation.getOpcode());
  std::optional<ValueExpression> left = valueOf(operation.getOperand(0));
  std::optional<ValueExpression> right = valueOf(operation.getOperand(1));
  if (!sign || !left || !right)
    return std::nullopt;
  auto *number = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (operation.getOpcode() == Instruction::Xor && number && number->isMinusOne())
    return ValueExpression{"~" + operand(*left), true, nullptr};
  if (auto *zero = dyn_cast<ConstantInt>(operation.getOperand(0));
      zero && zero->isZero() && operation.getOpcode() == Instruction::Sub)
    return ValueExpression{"-" + operand(*right), false, nullptr};
  if (operation.getOpcode() == Instruction::Add && number && number->isNegative())
    return ValueExpression{operand(*left) + " - " + right->text.substr(1), false, nullptr};
  return ValueExpression{operand(*left) + " " + sign + " " + operand(*right), false, nullptr};
}

std::optional<ValueExpression> Expressions::valueOfCall(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return std::nullopt;
  const DISubprogram *subprogram = callee->getSubprogram();
  const SourceType *type = nullptr;
  if (subprogram && subprogram->getType() && subprogram->getType()->getTypeArray().size())
    type = types_.get(subprogram->getType()->getTypeArray()[0]);
  std::string name = subprogram ? callName(*subprogram) : baseName(callee->getName());
  if (isMethod(*callee) && call.arg_size() > 0 && !call.hasStructRetAttr())
    return valueOfMethod(call, name, type);
  if (name.find("operator") == 0)
    return std::nullopt;
  return ValueExpression{name + "(" + argumentsOf(call, call.hasStructRetAttr() ? 1 : 0) + ")",
                         true, type};
}

std::optional<ValueExpression> Expressions::valueOfMethod(const CallBase &call, StringRef name,
                                                          const SourceType *type) const {
  std::optional<PlaceExpression> object = placeOf(call.getArgOperand(0));
  if (!object)
    return std::nullopt;
  std::string itself = object->subject.itself();
  std::string bracketed = object->subject.isPointer ? "(" + itself + ")" : itself;
  if (name == "operator[]" && call.arg_size() == 2) {
    std::string key = indexText(call.getArgOperand(1));
    if (key[0] == '&') // keys are passed by reference
      key.erase(0, 1);
    return ValueExpression{bracketed + "[" + key + "]", true, type};
  }
  if (name == "operator*")
    return ValueExpression{"*" + bracketed, false, type};
  if (name == "operator->" || name == "get")
    return ValueExpression{bracketed, true, type};
  if (name.starts_with("operator"))
    return std::nullopt;
  return ValueExpression{object->subject.field(name.str()).text + "(" + argumentsOf(call, 1) + ")",
                         true, type};
}

std::string Expressions::argumentsOf(const CallBase &call, unsigned first) const {
  std::string result;
  for (unsigned i = first; i < call.arg_size(); ++i) {
    std::string text = indexText(call.getArgOperand(i));
    if (text == "...")
      return "...";
    if (isByReference(call, i))
      text = text[0] == '&' ? text.substr(1) : "*" + text;
    result += (result.empty() ? "" : ", ") + text;
  }
  return result;
}

std::string Expressions::indexText(const Value *index) const {
  std::optional<ValueExpression> value = valueOf(index);
  if (!value)
    return "...";
  return value->text;
}

} // namespace culprit
