// Types as the source declares them: what is needed to say which part of an object a byte is.
//
// One model for two origins: the debug metadata of stored bitcode (di_types.h) and the DWARF of a
// linked image (dwarf_types.h). Typedefs and qualifiers are seen through. What a pointer points to
// and what a template's arguments are is worked out when asked for, because pointers tie nearly all
// types of a program together.
#ifndef CULPRIT_ANALYSIS_NAMES_SOURCE_TYPE_H
#define CULPRIT_ANALYSIS_NAMES_SOURCE_TYPE_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace culprit {

class MemoryReader;
struct SourceType;

/// A member or a base class.
struct SourceField {
  std::string name; ///< empty: an anonymous member, whose own members are named through it
  const SourceType *type = nullptr;
  uint64_t bitOffset = 0, bitSize = 0;
  bool isBitField = false, isBase = false;

  uint64_t offset() const { return bitOffset / 8; }
};

/// A virtual function that a class declares.
struct VirtualFunction {
  uint64_t index; ///< in the virtual table
  std::string name;
};

enum class TypeKind {
  Unknown, ///< void, functions, and records that are only declared
  Integer, ///< also enumerations, characters and bool
  Float,
  Pointer,
  Reference,
  Array,
  Record,
  Union,
};

struct SourceType {
  TypeKind kind = TypeKind::Unknown;
  std::string name;  ///< qualified, with template arguments; may be empty
  uint64_t size = 0; ///< bytes
  bool isCharacter = false;
  std::vector<SourceField> fields; ///< records and unions; virtual bases are not among them
  bool hasVirtualBase = false;     ///< which is somewhere behind the fields
  std::vector<VirtualFunction> virtualFunctions;
  const SourceType *element = nullptr; ///< arrays; never null there
  uint64_t count = 0;                  ///< arrays
  bool isOpenEnded = false;            ///< arrays: flexible or variable; `count` means nothing
  std::function<const SourceType *()> findTarget;
  std::function<std::vector<const SourceType *>()> findArguments;

  bool isScalar() const { return kind >= TypeKind::Integer && kind <= TypeKind::Reference; }
  bool isAggregate() const { return kind >= TypeKind::Array; }
  bool hasFields() const { return kind == TypeKind::Record || kind == TypeKind::Union; }
  /// What a pointer or reference leads to; null: void or not known.
  const SourceType *target() const { return findTarget ? findTarget() : nullptr; }
  /// The type arguments of a template's instance.
  std::vector<const SourceType *> arguments() const;
  /// Whether this is an instance of the standard library's template `std::NAME`, whatever inline
  /// namespace it is in.
  bool isStandard(const char *templateName) const;
  bool isInStandardLibrary() const;
  /// As the ABI aligns it; attributes of the source are not known here.
  uint64_t alignment() const;
  /// Whether an object of this type goes on behind its size.
  bool endsOpen() const;
  /// An array of `of`; without a count it is open-ended.
  void becomeArray(const SourceType &of, std::optional<uint64_t> howMany);
};

/// For a pointer value that is known, `*`, `->` and `[i]`; for an object, nothing, `.` and `[i]`.
struct Subject {
  std::string text;
  bool isPointer = false; ///< the object meant is what `text` points to

  std::string itself() const;
  Subject field(const std::string &name) const;
  Subject element(const std::string &index) const;
};

/// Which part of an object a byte belongs to.
struct Path {
  Subject subject;                  ///< the smallest part that has a name
  const SourceType *type = nullptr; ///< of that part; null for groups of bit-fields
  uint64_t rest = 0;                ///< bytes into that part
  uint64_t size = 0;                ///< of that part
  std::string internal;   ///< hidden member of the part: its name, or words that begin with "the "
  bool isPadding = false; ///< the byte follows the part and belongs to no member

  /// The part in words: "`s.a`", "byte 2 of `s.a`", "the padding after `s.a`".
  std::string text() const;
};

/// Where an object is and how to read it, if that is known: it tells what a std::variant holds.
struct ObjectMemory {
  const MemoryReader *reader = nullptr;
  uint64_t address = 0;
};

/// Walks `offset` bytes into an object. `accessSize`, where it is not 0, decides between the
/// members of a union. `offset` may lie outside only when the type ends open.
Path pathInto(const SourceType &type, uint64_t offset, const Subject &subject,
              uint64_t accessSize = 0, ObjectMemory memory = {});

} // namespace culprit
#endif
