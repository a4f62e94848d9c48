// See bitcode_pack.h.
#include "compiler/embed/bitcode_pack.h"
#include "compiler/embed/walk.h"
#include <vector>

using namespace llvm;

namespace culprit {
namespace {

constexpr unsigned kLengthWidth = 6; ///< of the chunks of lengths in a blob of strings

/// Where the strings of a METADATA_STRINGS record end, from its blob: `offset` bytes of lengths,
/// then the characters. Nothing if these lengths could not be written again, or if a string has a
/// zero in it.
std::optional<std::vector<size_t>> stringEnds(StringRef blob, uint64_t count, uint64_t offset) {
  if (offset > blob.size() || count > offset * 2)
    return std::nullopt;
  BitReader lengths(blob.take_front(offset));
  std::vector<size_t> ends;
  size_t end = offset;
  for (uint64_t i = 0; i < count && !lengths.failed; ++i) {
    uint64_t length = lengths.vbr(kLengthWidth);
    if (length > blob.size() - end)
      return std::nullopt;
    ends.push_back(end += length);
  }
  lengths.align();
  if (lengths.failed || !lengths.atEnd() || end != blob.size() ||
      blob.drop_front(offset).contains('\0'))
    return std::nullopt;
  return ends;
}

/// What both directions have in common.
template <typename Coder> class Transfer {
public:
  Transfer(Coder coder, Predictor model) : coder(std::move(coder)), model(std::move(model)) {}

  History history;
  bool failed = false;

protected:
  [[gnu::noinline]] uint64_t value(History::Column &column, uint32_t number, uint64_t value) {
    uint64_t symbol = value;
    if (!Coder::kReads && column.meaning != Meaning::Plain) {
      symbol = history.symbol(column, value);
      if (column.meaning == Meaning::Value || column.meaning == Meaning::Reference)
        failed |= history.value(column, symbol) != value; // too large for a symbol
    }
    symbol = model.number(coder, history.context(number, column), symbol);
    if (Coder::kReads)
      value = history.value(column, symbol);
    history.note(column, value, symbol);
    return value;
  }

  uint8_t character(uint8_t byte) {
    byte = model.byte(coder, textBefore, byte);
    textBefore = textBefore << 8 | byte;
    return byte;
  }

  /// Choices of the packer that no column is for.
  enum Choice : unsigned { More, Strings };
  bool choose(Choice choice, bool value) {
    return model.number(coder, {kCodes * kBlocks * kOperands + choice, 0, 0, 0}, value);
  }

  Coder coder;
  Predictor model;

private:
  uint64_t textBefore = 0; ///< the last bytes
};

/// From bits to the packed stream.
class Packer : public Transfer<RangeWriter> {
public:
  Packer(StringRef bitcode, Predictor model) : Transfer({}, std::move(model)), bits(bitcode) {}

  uint64_t fixed(History::Column &column, uint32_t number, unsigned width) {
    uint64_t read = bits.fixed(width);
    failed |= bits.failed;
    return value(column, number, read);
  }
  uint64_t vbr(History::Column &column, uint32_t number, unsigned width) {
    uint64_t read = bits.vbr(width);
    failed |= bits.failed;
    return value(column, number, read);
  }
  void text(uint64_t count, unsigned width) {
    for (uint64_t i = 0; i < count && !bits.failed; ++i)
      character(uint8_t(bits.fixed(width)));
    failed |= bits.failed;
  }
  /// Strings one by one with a zero after each, instead of their lengths.
  void strings(uint64_t size) {
    BitReader start = bits;
    StringRef blob = bits.bytes(size);
    uint64_t offset = history.operand(1);
    auto ends = stringEnds(blob, history.operand(0), offset);
    choose(Strings, ends.has_value());
    if (!ends) {
      bits = start;
      return text(size, 8);
    }
    size_t at = offset;
    for (size_t end : *ends) {
      for (; at < end; ++at)
        character(uint8_t(blob[at]));
      character(0);
    }
  }
  void align() { bits.align(); }

  struct Block {
    size_t begin;
    uint64_t words;
  };
  Block beginBlock() {
    uint64_t words = bits.fixed(kWord);
    return {bits.position(), words};
  }
  void endBlock(const Block &block) {
    failed |= bits.failed || bits.position() - block.begin != block.words * kWord;
  }
  bool more() { return choose(More, !bits.atEnd()); }
  size_t position() const { return bits.position(); }
  std::string finish() {
    failed |= bits.failed;
    return coder.finish();
  }
  Predictor takeModel() { return std::move(model); }

private:
  BitReader bits;
};

/// Back.
class Unpacker : public Transfer<RangeReader> {
public:
  Unpacker(StringRef packed, size_t size) : Transfer(RangeReader(packed), {}), limit(size) {}

  uint64_t fixed(History::Column &column, uint32_t number, unsigned width) {
    uint64_t result = value(column, number, 0);
    bits.fixed(result, width);
    check();
    return result;
  }
  uint64_t vbr(History::Column &column, uint32_t number, unsigned width) {
    uint64_t result = value(column, number, 0);
    bits.vbr(result, width);
    check();
    return result;
  }
  void text(uint64_t count, unsigned width) {
    for (uint64_t i = 0; i < count && !failed; ++i) {
      bits.fixed(character(0), width);
      check();
    }
  }
  void strings(uint64_t size) {
    if (!choose(Strings, false))
      return text(size, 8);
    BitWriter lengths;
    std::string characters;
    for (uint64_t i = 0, count = history.operand(0); i < count && !failed; ++i) {
      size_t begin = characters.size();
      while (uint8_t byte = character(0)) {
        characters += char(byte);
        failed |= characters.size() > limit;
        check();
        if (failed)
          return;
      }
      lengths.vbr(characters.size() - begin, kLengthWidth);
      failed |= lengths.image.size() > limit;
    }
    lengths.align();
    for (char byte : lengths.image + characters)
      bits.fixed(uint8_t(byte), 8);
    check();
  }
  void align() { bits.align(); }

  using Block = size_t;
  Block beginBlock() {
    bits.fixed(0, kWord);
    bits.align();
    return bits.image.size();
  }
  void endBlock(Block begin) {
    uint32_t words = (bits.image.size() - begin) / sizeof words;
    std::memcpy(bits.image.data() + begin - sizeof words, &words, sizeof words);
  }
  bool more() {
    check();
    return choose(More, false);
  }
  size_t position() const { return bits.position(); }
  std::string finish() {
    bits.align();
    return std::move(bits.image);
  }

private:
  void check() { failed |= bits.image.size() > limit || coder.exhausted(); }

  BitWriter bits;
  size_t limit;
};

} // namespace

std::optional<std::string> packBitcode(StringRef bitcode) {
  Packer packer(bitcode, {});
  Walk(packer).run();
  std::string packed = packer.finish();
  if (packer.failed)
    return std::nullopt;
  return packed;
}

std::string priorFrom(ArrayRef<std::string> modules) {
  Predictor model{Predictor::Empty()};
  for (const std::string &bitcode : modules) {
    Packer packer(bitcode, std::move(model));
    Walk(packer).run();
    model = packer.takeModel();
  }
  return model.prior();
}

std::optional<std::string> unpackBitcode(StringRef packed, size_t size) {
  Unpacker unpacker(packed, size);
  Walk(unpacker).run();
  std::string bitcode = unpacker.finish();
  if (unpacker.failed || bitcode.size() != size)
    return std::nullopt;
  return bitcode;
}

} // namespace culprit
