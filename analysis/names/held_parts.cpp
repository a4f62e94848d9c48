// See held_parts.h.
#include "analysis/names/held_parts.h"

#include <charconv>
#include <fmt/format.h>

namespace culprit {

namespace {

struct PlacedField {
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// The member that says which alternative there is, in one of the base classes.
std::optional<PlacedField> indexField(const SourceType &type) {
  for (const SourceField &field : type.fields) {
    if (field.name == "_M_index")
      return PlacedField{field.offset(), field.type->size};
    if (!field.isBase)
      continue;
    if (std::optional<PlacedField> found = indexField(*field.type))
      return PlacedField{field.offset() + found->offset, found->size};
  }
  return std::nullopt;
}

} // namespace

Subject heldPart(uint64_t index, const Subject &whole) {
  return {fmt::format("std::get<{}>({})", index, whole.itself()), false};
}

std::optional<uint64_t> tupleIndex(const SourceType &record) {
  size_t bracket = record.name.find('<');
  if (!record.isStandard("_Head_base") || bracket == std::string::npos)
    return std::nullopt;
  uint64_t index = 0;
  const char *begin = record.name.data() + bracket + 1;
  bool isNumber =
      std::from_chars(begin, record.name.data() + record.name.size(), index).ptr != begin;
  return isNumber ? std::optional(index) : std::nullopt;
}

std::optional<HeldAlternative> heldAlternative(const SourceType &variant, uint64_t address,
                                               const MemoryReader &reader) {
  std::optional<PlacedField> field = indexField(variant);
  std::vector<const SourceType *> alternatives = variant.arguments();
  HeldAlternative held;
  if (!field || field->size > sizeof held.index ||
      !reader.read(address + field->offset, &held.index, field->size) ||
      held.index >= alternatives.size())
    return std::nullopt;
  held.type = alternatives[held.index];
  return held;
}

} // namespace culprit
