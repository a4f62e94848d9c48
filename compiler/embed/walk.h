// The walk over a bitstream, the same for packing and unpacking; the bitstream itself is described
// in LLVM's BitCodeFormat document.
//
// It asks a transfer object for each value of the stream: the packer reads it from the bits and
// codes it, the unpacker decodes it and writes the bits. Either way the walk sees the value and
// knows what comes next.
#ifndef CULPRIT_COMPILER_EMBED_WALK_H
#define CULPRIT_COMPILER_EMBED_WALK_H

#include "compiler/embed/bitstream.h"
#include "compiler/embed/history.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include <deque>
#include <map>
#include <vector>

namespace culprit {

template <typename Transfer> class Walk {
public:
  explicit Walk(Transfer &transfer) : io(transfer), history(io.history) {}

  void run() {
    history.beginRecord(0, 0, 0);
    fixed(structure(0), 0, kTopLevel, kWord); // "BC", 0xC0DE
    while (!io.failed && io.more())
      if (fixed(structure(0), 0, kTopLevel, 2) == kEnterBlock)
        block(0);
      else
        io.failed = true;
  }

private:
  using Row = History::Row;
  enum : uint64_t { kEndBlock, kEnterBlock, kDefine, kUnabbreviated, kFirstAbbreviation };
  enum Encoding { Literal, Fixed, Vbr, Array, Char6, Blob };
  struct Operand {
    Encoding encoding;
    uint64_t value;
    bool hasBits() const { return encoding != Literal && (encoding == Char6 || value != 0); }
    bool isText() const {
      return encoding == Char6 || (encoding == Fixed && (value == 7 || value == 8));
    }
  };
  using Abbreviation = std::vector<Operand>;
  using Abbreviations = std::vector<const Abbreviation *>;

  /// Far more than LLVM has; without a limit damage could take for ever.
  static constexpr unsigned kDeepest = 16, kMostAbbreviations = 256;

  static uint32_t number(uint64_t block, uint64_t code) {
    return uint32_t(block % kBlocks * kCodes + code % kCodes) * kOperands;
  }
  Row &structure(uint64_t block) { return history.row(block, kStructure); }

  [[gnu::always_inline]] uint64_t fixed(Row &row, uint32_t rowNumber, unsigned column,
                                        unsigned width) {
    return io.fixed(row[column], rowNumber + column, width);
  }
  [[gnu::always_inline]] uint64_t vbr(Row &row, uint32_t rowNumber, unsigned column,
                                      unsigned width) {
    return io.vbr(row[column], rowNumber + column, width);
  }

  void block(unsigned depth) {
    size_t position = io.position();
    history.beginRecord(0, kStructure, 0);
    uint64_t id = vbr(structure(0), number(0, kStructure), kBlockHeads, 8);
    Row &row = structure(id);
    uint32_t rowNumber = number(id, kStructure);
    unsigned width = vbr(row, rowNumber, kBlockHeads, 4);
    io.align();
    auto extent = io.beginBlock();
    history.enterBlock(id, position);
    Abbreviations abbreviations = blockInfo[id];
    uint64_t describedBlock = 0; // BLOCKINFO, block 0, defines abbreviations for others
    if (depth > kDeepest || width < 2 || width > kWord)
      io.failed = true;
    while (!io.failed) {
      history.beginRecord(id, kStructure, history.codes >> 16 & 0xffffffff);
      uint64_t what = fixed(row, rowNumber, kAbbreviationIds, width);
      if (what == kEndBlock) {
        io.align();
        io.endBlock(extent);
        return history.leaveBlock(id);
      }
      if (what == kEnterBlock)
        block(depth + 1);
      else if (what == kDefine)
        define(id == 0 ? blockInfo[describedBlock] : abbreviations);
      else if (what == kUnabbreviated)
        unabbreviated(id, row, describedBlock);
      else if (what - kFirstAbbreviation < abbreviations.size())
        abbreviated(id, row, *abbreviations[what - kFirstAbbreviation]);
      else
        io.failed = true;
    }
  }

  void define(Abbreviations &list) {
    Row &row = structure(0);
    uint32_t rowNumber = number(0, kStructure);
    Abbreviation &result = all.emplace_back();
    list.push_back(&result);
    uint64_t count = vbr(row, rowNumber, kDefinitions, 5);
    for (uint64_t i = 0; i < count && !io.failed; ++i) {
      if (fixed(row, rowNumber, kDefinitions, 1)) {
        result.push_back({Literal, vbr(row, rowNumber, kDefinitions, 8)});
        continue;
      }
      auto encoding = Encoding(fixed(row, rowNumber, kDefinitions, 3));
      bool hasWidth = encoding == Fixed || encoding == Vbr;
      uint64_t width = hasWidth ? vbr(row, rowNumber, kDefinitions, 5) : 0;
      if (encoding < Fixed || encoding > Blob || width > kWord || (encoding == Vbr && width == 1))
        io.failed = true;
      result.push_back({encoding, width});
    }
    if (result.empty() || list.size() > kMostAbbreviations)
      io.failed = true;
  }

  void unabbreviated(uint64_t id, Row &structureRow, uint64_t &describedBlock) {
    uint64_t code = vbr(structureRow, number(id, kStructure), kRecordCodes, 6);
    Row &row = history.row(id, code);
    uint32_t rowNumber = number(id, code);
    uint64_t count = vbr(row, rowNumber, kLength, 6);
    history.beginRecord(id, code, count);
    for (uint64_t i = 0; i < count && !io.failed; ++i) {
      uint64_t value = vbr(row, rowNumber, operandColumn(i, count), 6);
      if (id == 0 && code == 1 && i == 0) // SETBID
        describedBlock = value;
    }
    history.endRecord();
  }

  uint64_t scalar(Row &row, uint32_t rowNumber, unsigned column, const Operand &operand) {
    switch (operand.encoding) {
    case Literal:
      history.note(row[column], operand.value, operand.value);
      return operand.value;
    case Fixed:
      return operand.value ? fixed(row, rowNumber, column, operand.value) : 0;
    case Vbr:
      return operand.value ? vbr(row, rowNumber, column, operand.value) : 0;
    case Char6:
      return fixed(row, rowNumber, column, 6);
    default:
      io.failed = true;
      return 0;
    }
  }

  void abbreviated(uint64_t id, Row &structureRow, const Abbreviation &abbreviation) {
    uint64_t code = scalar(structureRow, number(id, kStructure), kRecordCodes, abbreviation[0]);
    Row &row = history.row(id, code);
    uint32_t rowNumber = number(id, code);
    history.beginRecord(id, code, abbreviation.size());
    for (size_t i = 1; i < abbreviation.size() && !io.failed; ++i) {
      const Operand &operand = abbreviation[i];
      if (operand.encoding == Blob) {
        uint64_t count = vbr(row, rowNumber, kLength, 6);
        io.align();
        if (id == llvm::bitc::METADATA_BLOCK_ID && code == llvm::bitc::METADATA_STRINGS)
          io.strings(count);
        else
          io.text(count, 8);
        io.align();
      } else if (operand.encoding == Array) {
        array(row, rowNumber, i - 1, i + 1 < abbreviation.size() ? abbreviation[i + 1] : operand);
        break;
      } else {
        scalar(row, rowNumber, operandColumn(i - 1, 0), operand);
      }
    }
    history.endRecord();
  }

  /// An array whose first element is the record's operand `first`.
  void array(Row &row, uint32_t rowNumber, size_t first, const Operand &element) {
    uint64_t count = vbr(row, rowNumber, kLength, 6);
    if (!element.hasBits())
      io.failed = true;
    if (element.isText())
      return io.text(count, element.encoding == Char6 ? 6 : element.value);
    for (uint64_t i = 0; i < count && !io.failed; ++i)
      scalar(row, rowNumber, operandColumn(first + i, count), element);
  }

  Transfer &io;
  History &history;
  std::deque<Abbreviation> all;
  std::map<uint64_t, Abbreviations> blockInfo;
};

} // namespace culprit
#endif
