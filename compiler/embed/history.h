// What is known of a module before the next value of its bitcode: how packing (bitcode_pack.h) sees
// a value, and what it expects.
//
// Bitcode says a thing in the way that takes few bits without knowing what came before. Here a
// value is told apart by what it means: operands of instructions are counted back only if they were
// made just before, else named by their number, which needs the numbering of values; references
// between metadata are next to the last one, near, or names; lines, offsets and blocks are
// differences. Such a *symbol* is what repeats. Nothing here can be wrong, only less apt: reader
// and writer see the same past, and every symbol stands for one value.
#ifndef CULPRIT_COMPILER_EMBED_HISTORY_H
#define CULPRIT_COMPILER_EMBED_HISTORY_H

#include "compiler/embed/predictor.h"
#include <array>
#include <memory>
#include <vector>

namespace culprit {

/// Column of (block, record code, operand): values of the same meaning. Larger numbers are folded:
/// two operands then share a column, which costs bytes but loses nothing.
constexpr unsigned kBlocks = 32, kCodes = 128, kOperands = 32;
constexpr unsigned kLength = 30, kBlob = 31, kLongArray = 29, kLastOperand = 28;
constexpr unsigned kShortArray = 40; ///< longer ones have no structure by index

inline unsigned operandColumn(uint64_t index, uint64_t count) {
  return count > kShortArray ? kLongArray : unsigned(index < kLastOperand ? index : kLastOperand);
}

/// Stands for a record code in columns of what is not an operand; no code of LLVM is that large.
constexpr unsigned kStructure = kCodes - 1;
enum : unsigned { kAbbreviationIds, kRecordCodes, kBlockHeads, kDefinitions, kTopLevel };

enum class Meaning : uint8_t {
  Plain,
  Step,         ///< difference to the last one of the column
  StepInRecord, ///< difference to the operand before
  Value,        ///< relative number of a value
  Reference,    ///< metadata number plus 1
  Place,        ///< number of a basic block
  ScopeLine,    ///< near the subprogram's line
  MemberOffset,
  NameOffset, ///< into the string table
  BodyOffset, ///< of a function's body
};

class History {
public:
  struct Column {
    uint64_t last = 0; ///< symbol
    uint64_t lastValue = 0;
    Meaning meaning = Meaning::Plain;
  };
  using Row = std::array<Column, kOperands>;

  /// The columns of a record code.
  Row &row(uint64_t block, uint64_t code) {
    std::unique_ptr<Row> &row = rows[block % kBlocks * kCodes + code % kCodes];
    if (!row)
      row = newRow(block % kBlocks, code % kCodes);
    return *row;
  }

  void enterBlock(uint64_t id, size_t position);
  void leaveBlock(uint64_t id);
  void beginRecord(uint64_t block, uint64_t code, uint64_t count);
  void endRecord();

  /// The value of a column as a symbol, and back.
  uint64_t symbol(const Column &column, uint64_t value) const;
  uint64_t value(const Column &column, uint64_t symbol) const;

  Context context(uint32_t number, const Column &column) const {
    return {number, before, before2, column.last};
  }

  void note(Column &column, uint64_t value, uint64_t symbol) {
    column.last = symbol;
    column.lastValue = value;
    before2 = before;
    before = symbol;
    if (operands < kKept)
      kept[operands] = value;
    ++operands;
    previousOperand = value;
    if (column.meaning == Meaning::Reference && value != 0 && value <= strings)
      nextString = value;
    else if (column.meaning == Meaning::BodyOffset)
      ++bodiesNamed;
  }

  /// One of the first operands of the record.
  uint64_t operand(unsigned index) const { return kept[index]; }

  uint64_t codes = 0; ///< of the last eight records, the latest in the lowest byte

private:
  static constexpr unsigned kKept = 16;
  struct Type {
    bool isVoid = false;
    uint32_t result = 0, parameters = 0;
  };

  std::unique_ptr<Row> newRow(unsigned block, unsigned code);
  void endOfInstruction();
  bool returnsVoid(uint64_t type) const;
  uint64_t reference(const Column &column, uint64_t value) const;
  uint64_t referred(const Column &column, uint64_t symbol) const;
  uint64_t expected(const Column &column) const;

  std::array<std::unique_ptr<Row>, size_t(kBlocks) * kCodes> rows;

  uint64_t block = 0, code = 0;
  uint64_t kept[kKept] = {}; ///< the record's first operands
  unsigned operands = 0;
  uint64_t before = 0, before2 = 0; ///< symbols
  uint64_t previousOperand = 0;

  std::vector<Type> types;
  std::vector<uint32_t> bodyTypes;   ///< of functions with a body, in order
  std::vector<uint64_t> bodyOffsets; ///< in words
  size_t bodies = 0, bodiesNamed = 0;
  bool inFunction = false;
  uint64_t globals = 0, values = 0, places = 0;
  uint64_t strings = 0, nextString = 0, nodes = 0, globalNodes = 0;
  uint64_t nextName = 0;
  uint64_t memberScope = 0, memberEnd = 0;
};

} // namespace culprit
#endif
