// Bitcode to columns and back. See columns.h; the bitstream itself is described in LLVM's
// BitCodeFormat document.
//
// One walk serves both directions. It asks a transfer object for each value of the stream: the
// encoder reads it from the bits and appends it to a column, the decoder takes it from the column
// and writes the bits. Either way the walk sees the value and knows what comes next.
#include "compiler/embed/columns.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

using namespace llvm;

namespace culprit {
namespace {

/// Column of (block, record code, operand). Larger numbers are folded: two operands then share a
/// column, which costs bytes but loses nothing.
constexpr unsigned kBlocks = 32, kCodes = 64, kOperands = 32;
constexpr unsigned kColumns = kBlocks * kCodes * kOperands;
constexpr unsigned kLength = 30, kBlob = 31, kLongArray = 29, kLastOperand = 28;
constexpr unsigned kShortArray = 40; ///< longer ones have no structure by index

unsigned columnOf(uint64_t block, uint64_t code, unsigned operand) {
  return ((block % kBlocks) * kCodes + code % kCodes) * kOperands + operand;
}

unsigned operandIndex(uint64_t index, uint64_t count) {
  return count > kShortArray ? kLongArray : unsigned(std::min<uint64_t>(index, kLastOperand));
}

/// Columns for what is not an operand; no record code of LLVM is that large.
unsigned structureColumn(uint64_t block, unsigned which) {
  return columnOf(block, kCodes - 1, which);
}
enum : unsigned { kAbbreviationIds, kRecordCodes, kBlockHeads, kDefinitions, kTopLevel };

void putVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += char(value | 0x80);
  out += char(value);
}

bool takeVarint(StringRef &in, uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !in.empty(); shift += 7) {
    uint8_t byte = in.front();
    in = in.drop_front();
    value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

uint64_t zigzag(uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
uint64_t unzigzag(uint64_t value) {
  return (value >> 1) ^ (0 - (value & 1));
}

uint64_t lowBits(unsigned width) {
  return width < 64 ? (uint64_t(1) << width) - 1 : ~uint64_t(0);
}

/// Calls `use` with each value, or with its difference to the one before.
template <typename Use>
void forEach(const std::vector<uint64_t> &values, bool differences, Use use) {
  uint64_t previous = 0;
  for (uint64_t value : values) {
    use(differences ? zigzag(value - previous) : value);
    previous = value;
  }
}

/// Bits that an ideal byte-wise coder without context would need.
double entropy(const std::vector<uint64_t> &values, bool differences) {
  std::array<uint32_t, 256> counts{};
  forEach(values, differences, [&](uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      ++counts[(value & 0x7f) | 0x80];
    ++counts[value];
  });
  double total = 0, bits = 0;
  for (uint32_t count : counts)
    total += count;
  for (uint32_t count : counts)
    if (count)
      bits += count * std::log2(total / count);
  return bits;
}

void appendBytes(std::string &out, const std::vector<uint64_t> &values, bool differences) {
  constexpr size_t kLongest = 10;
  size_t end = out.size();
  out.resize(end + values.size() * kLongest);
  char *at = out.data() + end;
  forEach(values, differences, [&](uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      *at++ = char(value | 0x80);
    *at++ = char(value);
  });
  out.resize(at - out.data());
}

/// Columns by number. Few of the numbers are in use.
template <typename Column> class ColumnTable {
public:
  /// Valid until the next call.
  Column &at(unsigned number) {
    uint16_t &slot = slots[number];
    if (!slot) {
      columns.emplace_back();
      numbers.push_back(number);
      slot = columns.size();
    }
    return columns[slot - 1];
  }

  std::vector<std::pair<unsigned, const Column *>> inOrder() const {
    std::vector<std::pair<unsigned, const Column *>> all;
    for (size_t i = 0; i < columns.size(); ++i)
      all.emplace_back(numbers[i], &columns[i]);
    std::sort(all.begin(), all.end());
    return all;
  }

private:
  std::vector<uint16_t> slots = std::vector<uint16_t>(kColumns);
  std::vector<Column> columns;
  std::vector<unsigned> numbers;
};

/// From bits to columns.
class Encoder {
public:
  explicit Encoder(StringRef bits) : bits(bits) {}

  uint64_t fixed(unsigned column, unsigned width) {
    uint64_t value = read(width);
    columnAt(column).push_back(value);
    return value;
  }

  uint64_t vbr(unsigned column, unsigned width) {
    uint64_t value = 0, more = uint64_t(1) << (width - 1), chunk;
    unsigned shift = 0;
    do {
      chunk = read(width);
      if (shift < 64)
        value |= (chunk & (more - 1)) << shift;
      shift += width - 1;
    } while ((chunk & more) && !failed);
    columnAt(column).push_back(value);
    return value;
  }

  void bytes(unsigned column, uint64_t count) {
    for (uint64_t i = 0; i < count && !failed; ++i)
      fixed(column, 8);
  }

  void align() { position = (position + 31) / 32 * 32; }

  size_t beginBlock() {
    read(32);
    return 0;
  }
  void endBlock(size_t) {}

  bool more() {
    bool left = position < bits.size() * 8;
    columnAt(structureColumn(0, kTopLevel)).push_back(left);
    return left;
  }

  /// All columns: number, differences or not, values, bytes, then the bytes themselves.
  std::string finish() const {
    std::string head, body;
    for (const auto &[number, values] : columns.inOrder()) {
      bool differences = entropy(*values, true) < entropy(*values, false);
      size_t before = body.size();
      appendBytes(body, *values, differences);
      putVarint(head, number * 2 + differences + 1);
      putVarint(head, body.size() - before);
    }
    putVarint(head, 0);
    return head + body;
  }

  bool failed = false;

private:
  uint64_t read(unsigned width) {
    if (width > 64 || position + width > bits.size() * 8) {
      failed = true;
      return 0;
    }
    uint64_t value = 0;
    size_t byte = position / 8;
    unsigned offset = position % 8;
    position += width;
    if (byte + 9 > bits.size())
      return readSlowly(byte, offset, width);
    std::memcpy(&value, bits.data() + byte, 8);
    value >>= offset;
    if (offset + width > 64)
      value |= uint64_t(uint8_t(bits[byte + 8])) << (64 - offset);
    return value & lowBits(width);
  }

  /// The same for the last bytes of the stream.
  uint64_t readSlowly(size_t byte, unsigned offset, unsigned width) const {
    uint64_t value = 0;
    for (unsigned bit = 0; bit < width; ++bit) {
      unsigned at = offset + bit;
      value |= uint64_t((uint8_t(bits[byte + at / 8]) >> at % 8) & 1) << bit;
    }
    return value;
  }

  std::vector<uint64_t> &columnAt(unsigned number) { return columns.at(number); }

  StringRef bits;
  size_t position = 0;
  ColumnTable<std::vector<uint64_t>> columns;
};

/// From columns to bits.
class Decoder {
public:
  Decoder(StringRef stored, size_t limit) : limit(limit) {
    image.reserve(limit + 8);
    std::vector<std::pair<uint64_t, uint64_t>> head;
    uint64_t number, size;
    while (takeVarint(stored, number) && number != 0 && takeVarint(stored, size))
      head.emplace_back(number - 1, size);
    for (auto [numberAndKind, bytes] : head) {
      if (numberAndKind / 2 >= kColumns || bytes > stored.size()) {
        failed = true;
        return;
      }
      columns.at(numberAndKind / 2) = {stored.take_front(bytes), bool(numberAndKind & 1), 0};
      stored = stored.drop_front(bytes);
    }
  }

  uint64_t fixed(unsigned column, unsigned width) {
    uint64_t value = take(column);
    write(value, width);
    return value;
  }

  uint64_t vbr(unsigned column, unsigned width) {
    uint64_t value = take(column), more = uint64_t(1) << (width - 1);
    for (uint64_t rest = value;; rest >>= width - 1) {
      write((rest & (more - 1)) | (rest >= more ? more : 0), width);
      if (rest < more || failed)
        return value;
    }
  }

  void bytes(unsigned column, uint64_t count) {
    for (uint64_t i = 0; i < count && !failed; ++i)
      fixed(column, 8);
  }

  void align() { flush(); }

  size_t beginBlock() {
    write(0, 32);
    flush();
    return image.size();
  }

  void endBlock(size_t begin) {
    uint32_t words = (image.size() - begin) / 4;
    std::memcpy(image.data() + begin - 4, &words, 4);
  }

  bool more() { return take(structureColumn(0, kTopLevel)) && !failed; }

  std::string finish() {
    flush();
    return std::move(image);
  }

  bool failed = false;

private:
  struct Column {
    StringRef bytes;
    bool differences = false;
    uint64_t previous = 0;
  };

  uint64_t take(unsigned number) {
    Column &column = columns.at(number);
    uint64_t value;
    if (!takeVarint(column.bytes, value) || image.size() > limit) {
      failed = true;
      return 0;
    }
    if (column.differences)
      value = column.previous += unzigzag(value);
    return value;
  }

  void write(uint64_t value, unsigned width) {
    if (width > 64) {
      failed = true;
      return;
    }
    value &= lowBits(width);
    pending |= value << used;
    if (used + width < 64) {
      used += width;
      return;
    }
    image.append(reinterpret_cast<const char *>(&pending), 8);
    unsigned written = 64 - used;
    pending = written < 64 ? value >> written : 0;
    used = used + width - 64;
  }

  /// Writes out the bits that wait, up to a whole number of 32-bit words.
  void flush() {
    image.append(reinterpret_cast<const char *>(&pending), (used + 31) / 32 * 4);
    pending = used = 0;
  }

  ColumnTable<Column> columns;
  size_t limit;
  std::string image;
  uint64_t pending = 0; ///< bits that wait; image is a whole number of words
  unsigned used = 0;
};

template <typename Transfer> class Walk {
public:
  explicit Walk(Transfer &transfer) : io(transfer) {}

  void run() {
    io.fixed(structureColumn(0, kTopLevel), 32); // "BC", 0xC0DE
    while (io.more())
      if (io.fixed(structureColumn(0, kTopLevel), 2) == kEnterBlock)
        block(0);
      else
        io.failed = true;
  }

private:
  enum : uint64_t { kEndBlock, kEnterBlock, kDefine, kUnabbreviated, kFirstAbbreviation };
  enum Encoding { Literal, Fixed, Vbr, Array, Char6, Blob };
  struct Operand {
    Encoding encoding;
    uint64_t value;
  };
  using Abbreviation = std::vector<Operand>;

  void block(unsigned depth) {
    uint64_t id = io.vbr(structureColumn(0, kBlockHeads), 8);
    unsigned width = io.vbr(structureColumn(id, kBlockHeads), 4);
    io.align();
    size_t begin = io.beginBlock();
    std::vector<Abbreviation> abbreviations = blockInfo[id];
    uint64_t describedBlock = 0; // BLOCKINFO, block 0, defines abbreviations for others
    if (depth > 16 || width < 2 || width > 32)
      io.failed = true;
    while (!io.failed) {
      uint64_t what = io.fixed(structureColumn(id, kAbbreviationIds), width);
      if (what == kEndBlock) {
        io.align();
        return io.endBlock(begin);
      }
      if (what == kEnterBlock)
        block(depth + 1);
      else if (what == kDefine)
        (id == 0 ? blockInfo[describedBlock] : abbreviations).push_back(definition());
      else if (what == kUnabbreviated)
        unabbreviated(id, describedBlock);
      else if (what - kFirstAbbreviation < abbreviations.size())
        abbreviated(id, abbreviations[what - kFirstAbbreviation]);
      else
        io.failed = true;
    }
  }

  Abbreviation definition() {
    const unsigned column = structureColumn(0, kDefinitions);
    Abbreviation result;
    uint64_t count = io.vbr(column, 5);
    for (uint64_t i = 0; i < count && !io.failed; ++i) {
      if (io.fixed(column, 1)) {
        result.push_back({Literal, io.vbr(column, 8)});
        continue;
      }
      auto encoding = Encoding(io.fixed(column, 3));
      bool hasWidth = encoding == Fixed || encoding == Vbr;
      result.push_back({encoding, hasWidth ? io.vbr(column, 5) : 0});
      if (encoding < Fixed || encoding > Blob || result.back().value > 64)
        io.failed = true;
    }
    return result;
  }

  void unabbreviated(uint64_t id, uint64_t &describedBlock) {
    uint64_t code = io.vbr(structureColumn(id, kRecordCodes), 6);
    uint64_t count = io.vbr(columnOf(id, code, kLength), 6);
    for (uint64_t i = 0; i < count && !io.failed; ++i) {
      uint64_t value = io.vbr(columnOf(id, code, operandIndex(i, count)), 6);
      if (id == 0 && code == 1 && i == 0) // SETBID
        describedBlock = value;
    }
  }

  uint64_t scalar(unsigned column, const Operand &operand) {
    switch (operand.encoding) {
    case Literal:
      return operand.value;
    case Fixed:
      return operand.value ? io.fixed(column, operand.value) : 0;
    case Vbr:
      return operand.value ? io.vbr(column, operand.value) : 0;
    case Char6:
      return io.fixed(column, 6);
    default:
      io.failed = true;
      return 0;
    }
  }

  void abbreviated(uint64_t id, const Abbreviation &abbreviation) {
    if (abbreviation.empty()) {
      io.failed = true;
      return;
    }
    uint64_t code = scalar(structureColumn(id, kRecordCodes), abbreviation[0]);
    for (size_t i = 1; i < abbreviation.size() && !io.failed; ++i) {
      const Operand &operand = abbreviation[i];
      if (operand.encoding == Blob) {
        uint64_t count = io.vbr(columnOf(id, code, kLength), 6);
        io.align();
        io.bytes(columnOf(id, code, kBlob), count);
        io.align();
      } else if (operand.encoding == Array && i + 1 < abbreviation.size()) {
        uint64_t count = io.vbr(columnOf(id, code, kLength), 6);
        for (uint64_t n = 0; n < count && !io.failed; ++n)
          scalar(columnOf(id, code, operandIndex(i - 1 + n, count)), abbreviation[i + 1]);
        return;
      } else {
        scalar(columnOf(id, code, operandIndex(i - 1, 0)), operand);
      }
    }
  }

  Transfer &io;
  std::map<uint64_t, std::vector<Abbreviation>> blockInfo;
};

} // namespace

std::optional<std::string> columnsToBitcode(StringRef columns, size_t size) {
  Decoder decoder(columns, size);
  if (!decoder.failed)
    Walk(decoder).run();
  std::string bitcode = decoder.finish();
  if (decoder.failed || bitcode.size() != size)
    return std::nullopt;
  return bitcode;
}

std::optional<std::string> bitcodeToColumns(StringRef bitcode) {
  Encoder encoder(bitcode);
  Walk(encoder).run();
  if (encoder.failed)
    return std::nullopt;
  std::string columns = encoder.finish();
  std::optional<std::string> again = columnsToBitcode(columns, bitcode.size());
  if (!again || *again != bitcode)
    return std::nullopt;
  return columns;
}

} // namespace culprit
