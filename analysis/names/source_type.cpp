// See source_type.h.
#include "analysis/names/source_type.h"

#include "analysis/names/held_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace culprit {

namespace {

bool startsWith(const std::string &text, std::string_view start) {
  return text.compare(0, start.size(), start) == 0;
}

/// `int (*p)[3]`: an element of what p points to is `(*p)[1]`; so is a member of `*it`.
bool needsBrackets(const std::string &text) {
  return !text.empty() && (text[0] == '*' || text[0] == '&' || text[0] == '-');
}

std::string bracketed(const std::string &text) {
  return needsBrackets(text) ? "(" + text + ")" : text;
}

/// Walks down a type; one step per kind of type.
class Walk {
public:
  Walk(uint64_t accessSize, const MemoryReader *reader, uint64_t place)
      : accessSize_(accessSize), reader_(reader), place_(place) {}

  Path into(const SourceType &type, uint64_t offset, const Subject &subject) const {
    if (type.kind == TypeKind::Array && type.element->size)
      if (type.isOpenEnded || offset / type.element->size < type.count)
        return into(*type.element, offset % type.element->size,
                    subject.element(std::to_string(offset / type.element->size)));
    if (type.hasFields())
      return intoRecord(type, offset, subject);
    return {subject, &type, offset, type.size, "", false};
  }

private:
  /// The better path of two into the same object.
  int valueOf(const Path &path) const {
    if (path.isPadding)
      return 0;
    if (accessSize_ && path.rest == 0 && path.size == accessSize_)
      return 3;
    return path.rest == 0 ? 2 : 1;
  }

  static bool covers(const SourceField &field, uint64_t offset) {
    uint64_t firstBit = offset * 8;
    if (field.isBitField)
      return field.bitOffset < firstBit + 8 && field.bitOffset + field.bitSize > firstBit;
    if (field.type->endsOpen() && offset >= field.offset())
      return true;
    return offset >= field.offset() && offset < field.offset() + field.type->size;
  }

  Path intoRecord(const SourceType &type, uint64_t offset, const Subject &subject) const {
    if (type.isStandard("basic_string") && offset >= 16 && type.size == 32)
      if (std::vector<const SourceType *> arguments = type.arguments();
          !arguments.empty() && arguments[0]->size)
        return into(*arguments[0], (offset - 16) % arguments[0]->size,
                    subject.element(std::to_string((offset - 16) / arguments[0]->size)));
    if (type.isStandard("optional"))
      if (std::vector<const SourceType *> arguments = type.arguments();
          !arguments.empty() && offset < arguments[0]->size)
        return into(*arguments[0], offset, {subject.itself(), true});
    if (type.isStandard("variant") && reader_)
      if (std::optional<HeldAlternative> held = heldAlternative(type, place_ - offset, *reader_);
          held && offset < held->type->size)
        return into(*held->type, offset, heldPart(held->index, subject));
    std::optional<Path> best;
    std::vector<std::string> bitFields;
    for (const SourceField &field : type.fields) {
      if (!covers(field, offset))
        continue;
      if (field.isBitField) {
        bitFields.push_back(field.name);
        continue;
      }
      Path path = intoField(type, field, offset - field.offset(), subject);
      if (!best || valueOf(path) > valueOf(*best))
        best = path;
    }
    if (!bitFields.empty() && (!best || best->isPadding))
      return {groupOf(subject, bitFields), nullptr, 0, 1, "", false};
    if (best)
      return *best;
    return beside(type, offset, subject);
  }

  static Subject groupOf(const Subject &subject, const std::vector<std::string> &names) {
    if (names.size() == 1)
      return subject.field(names[0]);
    return subject.field(fmt::format("{{{}}}", fmt::join(names, ", ")));
  }

  Path intoField(const SourceType &record, const SourceField &field, uint64_t offset,
                 const Subject &subject) const {
    if (field.name.empty() || field.isBase)
      return into(*field.type, offset, subject);
    bool isHidden = record.isInStandardLibrary() && field.name[0] == '_';
    if (!isHidden && startsWith(field.name, "_vptr")) {
      Path path{subject, field.type, 0, field.type->size, "the virtual table pointer", false};
      return path;
    }
    if (!isHidden)
      return into(*field.type, offset, subject.field(field.name));
    if (record.isStandard("array"))
      return into(*field.type, offset, subject);
    if (std::optional<uint64_t> index = tupleIndex(record); index && !subject.text.empty())
      return into(*field.type, offset, heldPart(*index, subject));
    if (offset == 0 && field.offset() == 0) // where the object itself begins
      return {subject, &record, 0, record.size, "", false};
    Path path = into(*field.type, offset, {"", false});
    bool isValueItself = record.isStandard("atomic") || record.isStandard("__atomic_base");
    Path result{subject, path.type, path.rest, path.size, path.internal, path.isPadding};
    if (result.internal.empty() && !isValueItself)
      result.internal = field.name;
    return result;
  }

  /// No member covers the byte: it is padding, or the record has no members.
  Path beside(const SourceType &type, uint64_t offset, const Subject &subject) const {
    const SourceField *before = nullptr;
    for (const SourceField &field : type.fields)
      if (!field.isBase && field.offset() <= offset && !field.name.empty())
        if (!before || field.bitOffset >= before->bitOffset)
          before = &field;
    if (type.hasVirtualBase)
      return {subject, &type, offset, type.size, "the virtual base", false};
    if (!before || type.isInStandardLibrary())
      return {subject, &type, offset, type.size, "", false};
    if (before->type->kind == TypeKind::Unknown) // where it ends is not known
      return {subject.field(before->name), before->type, offset - before->offset(), 0, "", false};
    return {subject.field(before->name), before->type, 0, before->type->size, "", true};
  }

  uint64_t accessSize_;
  const MemoryReader *reader_; ///< may be null
  uint64_t place_;             ///< that is walked to
};

} // namespace

std::vector<const SourceType *> SourceType::arguments() const {
  return findArguments ? findArguments() : std::vector<const SourceType *>();
}

bool SourceType::isInStandardLibrary() const {
  return startsWith(name, "std::") || startsWith(name, "__gnu_cxx::");
}

bool SourceType::isStandard(const char *templateName) const {
  if (!startsWith(name, "std::"))
    return false;
  std::string head = name.substr(0, name.find('<'));
  size_t colons = head.rfind("::");
  return head.substr(colons + 2) == templateName;
}

uint64_t SourceType::alignment() const {
  if (kind == TypeKind::Array)
    return element->alignment();
  if (!hasFields())
    return std::clamp<uint64_t>(size, 1, 16);
  uint64_t alignment = 1;
  for (const SourceField &field : fields)
    alignment = std::max(alignment, field.type->alignment());
  return alignment;
}

void SourceType::becomeArray(const SourceType &of, std::optional<uint64_t> howMany) {
  kind = TypeKind::Array;
  element = &of;
  count = howMany.value_or(0);
  isOpenEnded = !howMany;
  size = count * of.size;
}

bool SourceType::endsOpen() const {
  if (kind == TypeKind::Array)
    return isOpenEnded;
  if (kind != TypeKind::Record || fields.empty())
    return false;
  return fields.back().type->endsOpen();
}

std::string Subject::itself() const {
  if (!isPointer)
    return text;
  return "*" + text;
}

Subject Subject::field(const std::string &name) const {
  if (text.empty())
    return {name, false};
  return {bracketed(text) + (isPointer ? "->" : ".") + name, false};
}

Subject Subject::element(const std::string &index) const {
  std::string base = isPointer ? "(*" + text + ")" : bracketed(text);
  return {base + "[" + index + "]", false};
}

std::string Path::text() const {
  std::string part = "`" + subject.itself() + "`";
  if (isPadding)
    return "the padding after " + part;
  if (startsWith(internal, "the "))
    return internal + " of " + part;
  if (!internal.empty())
    return "`" + internal + "` of " + part;
  return rest ? fmt::format("byte {} of {}", rest, part) : part;
}

Path pathInto(const SourceType &type, uint64_t offset, const Subject &subject, uint64_t accessSize,
              ObjectMemory memory) {
  return Walk(accessSize, memory.reader, memory.address + offset).into(type, offset, subject);
}

} // namespace culprit
