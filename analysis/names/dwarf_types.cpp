// See dwarf_types.h.
#include "analysis/names/dwarf_types.h"

#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

namespace culprit {
using namespace llvm;

namespace {

std::optional<uint64_t> number(const DWARFDie &die, dwarf::Attribute attribute) {
  if (std::optional<DWARFFormValue> value = die.find(attribute)) {
    if (std::optional<uint64_t> constant = value->getAsUnsignedConstant())
      return constant;
    if (std::optional<int64_t> constant = value->getAsSignedConstant())
      return static_cast<uint64_t>(*constant);
  }
  return std::nullopt;
}

bool isSeenThrough(dwarf::Tag tag) {
  switch (tag) {
  case dwarf::DW_TAG_typedef:
  case dwarf::DW_TAG_const_type:
  case dwarf::DW_TAG_volatile_type:
  case dwarf::DW_TAG_restrict_type:
  case dwarf::DW_TAG_atomic_type:
  case dwarf::DW_TAG_immutable_type:
  case dwarf::DW_TAG_template_alias:
    return true;
  default:
    return false;
  }
}

bool isRecord(dwarf::Tag tag) {
  return tag == dwarf::DW_TAG_structure_type || tag == dwarf::DW_TAG_class_type ||
         tag == dwarf::DW_TAG_union_type;
}

std::string nameOf(const DWARFDie &die) {
  const char *name = die.getShortName();
  return name ? name : "";
}

/// The count of an array's dimension, from DW_AT_count or DW_AT_upper_bound.
std::optional<uint64_t> countOf(const DWARFDie &range) {
  if (std::optional<uint64_t> count = number(range, dwarf::DW_AT_count))
    return count;
  std::optional<uint64_t> last = number(range, dwarf::DW_AT_upper_bound);
  if (last && *last != ~uint64_t{0})
    return *last + 1;
  return std::nullopt;
}

} // namespace

std::string qualifiedName(const DWARFDie &start) {
  DWARFDie die = start;
  for (dwarf::Attribute attribute : {dwarf::DW_AT_abstract_origin, dwarf::DW_AT_specification})
    if (DWARFDie other = die.getAttributeValueAsReferencedDie(attribute))
      die = other;
  std::string result = nameOf(die);
  for (DWARFDie scope = die.getParent(); scope; scope = scope.getParent()) {
    std::string name = nameOf(scope);
    if (scope.getTag() == dwarf::DW_TAG_namespace && name.empty())
      name = "(anonymous namespace)";
    if (scope.getTag() == dwarf::DW_TAG_namespace || isRecord(scope.getTag())) {
      result.insert(0, name + "::");
    } else if (scope.getTag() == dwarf::DW_TAG_subprogram) {
      // Of a function that was inlined everywhere nothing but the scope may be left.
      std::string function = qualifiedName(scope);
      return result.insert(0, function.empty() ? "" : function + "()::");
    }
  }
  return result;
}

const SourceType *DwarfTypes::typeOf(const DWARFDie &die) {
  DWARFDie owner = die;
  for (dwarf::Attribute attribute : {dwarf::DW_AT_abstract_origin, dwarf::DW_AT_specification})
    if (!owner.find(dwarf::DW_AT_type))
      if (DWARFDie other = owner.getAttributeValueAsReferencedDie(attribute))
        owner = other;
  return get(owner.getAttributeValueAsReferencedDie(dwarf::DW_AT_type));
}

const SourceType *DwarfTypes::get(DWARFDie die) {
  while (die && isSeenThrough(die.getTag()))
    die = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
  if (!die)
    return nullptr;
  die = die.resolveTypeUnitReference();
  auto [place, isNew] = made_.try_emplace(die.getOffset(), nullptr);
  return isNew ? make(die) : place->second;
}

const SourceType *DwarfTypes::make(const DWARFDie &die) {
  SourceType &result = types_.emplace_back();
  made_[die.getOffset()] = &result;
  result.name = qualifiedName(die);
  result.size = number(die, dwarf::DW_AT_byte_size).value_or(0);
  switch (die.getTag()) {
  case dwarf::DW_TAG_base_type: {
    uint64_t encoding = number(die, dwarf::DW_AT_encoding).value_or(0);
    result.kind = encoding == dwarf::DW_ATE_float ? TypeKind::Float : TypeKind::Integer;
    result.isCharacter = encoding == dwarf::DW_ATE_signed_char ||
                         encoding == dwarf::DW_ATE_unsigned_char || encoding == dwarf::DW_ATE_UTF;
    return &result;
  }
  case dwarf::DW_TAG_enumeration_type:
  case dwarf::DW_TAG_ptr_to_member_type:
    result.kind = TypeKind::Integer;
    return &result;
  case dwarf::DW_TAG_pointer_type:
  case dwarf::DW_TAG_reference_type:
  case dwarf::DW_TAG_rvalue_reference_type:
    result.kind =
        die.getTag() == dwarf::DW_TAG_pointer_type ? TypeKind::Pointer : TypeKind::Reference;
    result.size = result.size ? result.size : 8;
    result.findTarget = [this, die] { return typeOf(die); };
    return &result;
  case dwarf::DW_TAG_array_type:
    fillArray(result, die);
    return &result;
  default:
    return isRecord(die.getTag()) ? fillRecord(result, die) : &result;
  }
}

void DwarfTypes::fillArray(SourceType &result, const DWARFDie &die) {
  static const SourceType kUnknown;
  const SourceType *element = typeOf(die);
  if (!element)
    element = &kUnknown;
  std::vector<DWARFDie> ranges;
  for (const DWARFDie &child : die.children())
    if (child.getTag() == dwarf::DW_TAG_subrange_type)
      ranges.push_back(child);
  for (size_t i = ranges.size(); i-- > 0;) {
    SourceType &array = i ? types_.emplace_back() : result;
    array.becomeArray(*element, countOf(ranges[i]));
    element = &array;
  }
}

/// Those of a pack are the pack's children.
void DwarfTypes::addArguments(const DWARFDie &parent, std::vector<const SourceType *> &arguments) {
  for (const DWARFDie &child : parent.children()) {
    if (child.getTag() == dwarf::DW_TAG_GNU_template_parameter_pack)
      addArguments(child, arguments);
    if (child.getTag() == dwarf::DW_TAG_template_type_parameter)
      if (const SourceType *argument = typeOf(child))
        arguments.push_back(argument);
  }
}

const SourceType *DwarfTypes::fillRecord(SourceType &result, const DWARFDie &die) {
  bool isDeclaration = die.find(dwarf::DW_AT_declaration).has_value();
  if (isDeclaration)
    if (const SourceType *defined = definition(result.name))
      return made_[die.getOffset()] = defined;
  result.findArguments = [this, die] {
    std::vector<const SourceType *> arguments;
    addArguments(die, arguments);
    return arguments;
  };
  if (isDeclaration)
    return &result;
  result.kind = die.getTag() == dwarf::DW_TAG_union_type ? TypeKind::Union : TypeKind::Record;
  for (const DWARFDie &child : die.children())
    if (child.getTag() == dwarf::DW_TAG_member || child.getTag() == dwarf::DW_TAG_inheritance)
      fillField(result, child);
    else if (child.getTag() == dwarf::DW_TAG_subprogram)
      fillFunction(result, child);
  return &result;
}

void DwarfTypes::fillFunction(SourceType &result, const DWARFDie &die) {
  std::optional<DWARFFormValue> place = die.find(dwarf::DW_AT_vtable_elem_location);
  std::optional<ArrayRef<uint8_t>> block = place ? place->getAsBlock() : std::nullopt;
  if (!block || block->empty() || (*block)[0] != dwarf::DW_OP_constu)
    return;
  DataExtractor data(*block, /*IsLittleEndian=*/true, 8);
  uint64_t offset = 1;
  result.virtualFunctions.push_back({data.getULEB128(&offset), nameOf(die)});
}

void DwarfTypes::fillField(SourceType &result, const DWARFDie &die) {
  bool isBase = die.getTag() == dwarf::DW_TAG_inheritance;
  bool isVirtual = isBase && number(die, dwarf::DW_AT_virtuality).value_or(0) != 0;
  result.hasVirtualBase |= isVirtual;
  if (die.find(dwarf::DW_AT_external) || isVirtual)
    return;
  const SourceType *type = typeOf(die);
  if (!type)
    return;
  std::optional<uint64_t> bits = number(die, dwarf::DW_AT_bit_size);
  uint64_t offset = number(die, dwarf::DW_AT_data_member_location).value_or(0) * 8;
  if (std::optional<uint64_t> bitOffset = number(die, dwarf::DW_AT_data_bit_offset))
    offset = *bitOffset;
  else if (std::optional<uint64_t> fromTop = number(die, dwarf::DW_AT_bit_offset); fromTop && bits)
    offset += number(die, dwarf::DW_AT_byte_size).value_or(type->size) * 8 - *fromTop - *bits;
  result.fields.push_back({isBase ? "" : nameOf(die), type, offset, bits.value_or(type->size * 8),
                           bits.has_value(), isBase});
}

const SourceType *DwarfTypes::definition(const std::string &name) {
  if (!hasIndex_)
    indexDefinitions();
  auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : get(found->second);
}

void DwarfTypes::indexDefinitions() {
  hasIndex_ = true;
  for (const std::unique_ptr<DWARFUnit> &unit : context_.info_section_units())
    for (const DWARFDebugInfoEntry &entry : unit->dies()) {
      DWARFDie die(unit.get(), &entry);
      if (isRecord(die.getTag()) && !die.find(dwarf::DW_AT_declaration) && die.getShortName())
        definitions_.try_emplace(qualifiedName(die), die);
    }
}

} // namespace culprit
