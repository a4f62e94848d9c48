// See di_types.h.
#include "analysis/names/di_types.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>

namespace culprit {
using namespace llvm;

namespace {

const DIType *stripped(const DIType *type) {
  while (auto *derived = dyn_cast_or_null<DIDerivedType>(type))
    switch (derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_immutable_type:
    case dwarf::DW_TAG_template_alias:
      type = derived->getBaseType();
      break;
    default:
      return type;
    }
  return type;
}

TypeKind kindOf(const DIBasicType &type) {
  if (type.getTag() == dwarf::DW_TAG_unspecified_type)
    return type.getSizeInBits() ? TypeKind::Pointer : TypeKind::Unknown;
  return type.getEncoding() == dwarf::DW_ATE_float ? TypeKind::Float : TypeKind::Integer;
}

bool isCharacter(const DIBasicType &type) {
  unsigned encoding = type.getEncoding();
  return encoding == dwarf::DW_ATE_signed_char || encoding == dwarf::DW_ATE_unsigned_char ||
         encoding == dwarf::DW_ATE_UTF;
}

std::optional<uint64_t> countOf(const DINode *node) {
  auto *range = dyn_cast_or_null<DISubrange>(node);
  if (!range)
    return std::nullopt;
  DISubrange::BoundType count = range->getCount();
  auto *number = dyn_cast_if_present<ConstantInt *>(count);
  if (!number || number->getSExtValue() < 0)
    return std::nullopt;
  return number->getZExtValue();
}

} // namespace

std::string qualifiedName(const DIScope *scope, StringRef name) {
  std::string result = name.str();
  for (; scope; scope = scope->getScope()) {
    if (auto *space = dyn_cast<DINamespace>(scope); space && space->getName().empty())
      result.insert(0, "(anonymous namespace)::");
    else if (space || isa<DICompositeType>(scope))
      result.insert(0, scope->getName().str() + "::");
  }
  return result;
}

const SourceType *DITypes::get(const DIType *type) {
  type = stripped(type);
  if (!type)
    return nullptr;
  auto [place, isNew] = made_.try_emplace(type, nullptr);
  if (!isNew)
    return place->second;
  return make(type);
}

const SourceType *DITypes::make(const DIType *type) {
  SourceType &result = types_.emplace_back();
  made_[type] = &result;
  result.name = qualifiedName(type->getScope(), type->getName());
  result.size = type->getSizeInBits() / 8;
  if (auto *basic = dyn_cast<DIBasicType>(type)) {
    result.kind = kindOf(*basic);
    result.isCharacter = isCharacter(*basic);
  } else if (auto *derived = dyn_cast<DIDerivedType>(type)) {
    bool isReference = type->getTag() == dwarf::DW_TAG_reference_type ||
                       type->getTag() == dwarf::DW_TAG_rvalue_reference_type;
    bool isPointer = type->getTag() == dwarf::DW_TAG_pointer_type;
    result.kind = isReference ? TypeKind::Reference
                  : isPointer ? TypeKind::Pointer
                              : TypeKind::Integer;
    if (isReference || isPointer) {
      result.size = result.size ? result.size : 8;
      result.findTarget = [this, derived] { return get(derived->getBaseType()); };
    }
  } else if (auto *composite = dyn_cast<DICompositeType>(type)) {
    if (type->getTag() == dwarf::DW_TAG_array_type)
      fillArray(result, *composite);
    else if (type->getTag() == dwarf::DW_TAG_enumeration_type)
      result.kind = TypeKind::Integer;
    else
      return fillRecord(result, *composite);
  }
  return &result;
}

void DITypes::fillArray(SourceType &result, const DICompositeType &type) {
  static const SourceType kUnknown;
  const SourceType *element = get(type.getBaseType());
  if (!element)
    element = &kUnknown;
  DINodeArray ranges = type.getElements();
  if (type.isVector() || ranges.empty()) {
    result.kind = ranges.empty() ? TypeKind::Unknown : TypeKind::Array;
    result.element = element;
    result.count = element->size ? result.size / element->size : 0;
    return;
  }
  for (unsigned i = ranges.size(); i-- > 0;) {
    SourceType &array = i ? types_.emplace_back() : result;
    array.becomeArray(*element, countOf(ranges[i]));
    element = &array;
  }
}

/// A pack's value is a list of parameters.
void DITypes::addArguments(const DITemplateParameter &parameter,
                           std::vector<const SourceType *> &arguments) {
  if (isa<DITemplateTypeParameter>(parameter))
    if (const SourceType *argument = get(parameter.getType()))
      arguments.push_back(argument);
  const auto *value = dyn_cast<DITemplateValueParameter>(&parameter);
  if (!value || value->getTag() != dwarf::DW_TAG_GNU_template_parameter_pack)
    return;
  if (const auto *pack = dyn_cast_or_null<MDTuple>(value->getValue()))
    for (const MDOperand &operand : pack->operands())
      if (const auto *packed = dyn_cast_or_null<DITemplateParameter>(operand.get()))
        addArguments(*packed, arguments);
}

const SourceType *DITypes::fillRecord(SourceType &result, const DICompositeType &type) {
  if (type.isForwardDecl() && findDefinition_)
    if (const SourceType *definition = findDefinition_(result.name))
      return made_[&type] = definition;
  result.findArguments = [this, &type] {
    std::vector<const SourceType *> arguments;
    for (const DITemplateParameter *parameter : type.getTemplateParams())
      addArguments(*parameter, arguments);
    return arguments;
  };
  if (type.isForwardDecl())
    return &result;
  result.kind = type.getTag() == dwarf::DW_TAG_union_type ? TypeKind::Union : TypeKind::Record;
  for (DINode *element : type.getElements())
    if (auto *field = dyn_cast_or_null<DIDerivedType>(element))
      fillField(result, *field);
    else if (auto *function = dyn_cast_or_null<DISubprogram>(element);
             function && function->getVirtuality() != 0)
      result.virtualFunctions.push_back({function->getVirtualIndex(), function->getName().str()});
  return &result;
}

void DITypes::fillField(SourceType &result, const DIDerivedType &field) {
  bool isBase = field.getTag() == dwarf::DW_TAG_inheritance;
  if ((!isBase && field.getTag() != dwarf::DW_TAG_member) || field.isStaticMember())
    return;
  if (isBase && (field.getFlags() & DINode::FlagVirtual)) {
    result.hasVirtualBase = true;
    return;
  }
  const SourceType *type = get(field.getBaseType());
  if (!type)
    return;
  uint64_t size = field.isBitField() ? field.getSizeInBits() : type->size * 8;
  result.fields.push_back({isBase ? "" : field.getName().str(), type, field.getOffsetInBits(), size,
                           field.isBitField(), isBase});
}

} // namespace culprit
