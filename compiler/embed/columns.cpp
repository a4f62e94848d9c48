// Bitcode to columns and back. See columns.h; the bitstream itself is described in LLVM's
// BitCodeFormat document.
//
// One walk serves both directions. It asks a transfer object for each value of the stream: the
// encoder reads it from the bits and appends it to a column, the decoder takes it from the column
// and writes the bits. Either way the walk sees the value and knows what comes next.
#include "compiler/embed/columns.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
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

unsigned operandIndex(uint64_t index, uint64_t count) {
  return count > kShortArray ? kLongArray : unsigned(std::min<uint64_t>(index, kLastOperand));
}

/// Stands for a record code in columns of what is not an operand; no code of LLVM is that large.
constexpr unsigned kStructure = kCodes - 1;
enum : unsigned { kAbbreviationIds, kRecordCodes, kBlockHeads, kDefinitions, kTopLevel };

constexpr unsigned kWord = 32; ///< the stream is in words of that many bits, and so are the fields

/// Far more than LLVM has; without a limit damaged columns could take for ever.
constexpr unsigned kDeepest = 16, kMostAbbreviations = 256;

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

/// `width` less than 64.
uint64_t lowBits(unsigned width) {
  return (uint64_t(1) << width) - 1;
}

/// A byte-wise coder without context would need about this many bits for `values`, or for the
/// differences between them.
class Cost {
public:
  void add(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      count(value | 0x80);
    count(value);
  }

  double bits() const {
    double sum = total * std::log2(total);
    for (uint8_t byte : ArrayRef(seen, kinds))
      sum -= counts[byte] * std::log2(double(counts[byte]));
    return sum;
  }

private:
  void count(uint8_t byte) {
    if (counts[byte]++ == 0)
      seen[kinds++] = byte;
    ++total;
  }

  uint16_t counts[256] = {};
  uint8_t seen[256];
  unsigned kinds = 0;
  double total = 0;
};

/// True if the differences between the values are more regular than the values. A few runs of a
/// long column tell.
bool differencesAreBetter(ArrayRef<uint64_t> values) {
  constexpr size_t kRun = 64, kRuns = 4;
  if (values.size() < 4)
    return false;
  Cost plain, differences;
  size_t step = std::max(kRun, values.size() / kRuns + 1);
  for (size_t begin = 0; begin < values.size(); begin += step) {
    uint64_t previous = begin ? values[begin - 1] : 0;
    for (uint64_t value : values.slice(begin, std::min(kRun, values.size() - begin))) {
      plain.add(value);
      differences.add(zigzag(value - previous));
      previous = value;
    }
  }
  return differences.bits() < plain.bits();
}

/// Appends the values, or the differences between them.
template <bool kDifferences>
void appendBytes(SmallVectorImpl<char> &out, ArrayRef<uint64_t> values) {
  constexpr size_t kLongest = 10;
  size_t before = out.size();
  out.resize_for_overwrite(before + values.size() * kLongest);
  char *at = out.begin() + before;
  uint64_t previous = 0;
  for (uint64_t value : values) {
    uint64_t rest = kDifferences ? zigzag(value - previous) : value;
    for (previous = value; rest >= 0x80; rest >>= 7)
      *at++ = char(rest | 0x80);
    *at++ = char(rest);
  }
  out.truncate(at - out.begin());
}

/// Columns by block, record code and operand. Few of the rows are in use.
template <typename Column> class ColumnTable {
public:
  using Row = std::array<Column, kOperands>;

  /// The columns of a record code.
  Row &row(uint64_t block, uint64_t code) {
    std::unique_ptr<Row> &row = rows[block % kBlocks * kCodes + code % kCodes];
    if (!row)
      row = std::make_unique<Row>();
    return *row;
  }

  /// Calls `use` with the number of each column in use and the column.
  template <typename Use> void forEach(Use use) {
    for (unsigned i = 0; i < rows.size(); ++i)
      for (unsigned operand = 0; rows[i] && operand < kOperands; ++operand)
        if (Column &column = (*rows[i])[operand]; !column.empty())
          use(i * kOperands + operand, column);
  }

private:
  std::array<std::unique_ptr<Row>, kBlocks * kCodes> rows;
};

/// From bits to columns. Fails on anything that the decoder would write in another way, which makes
/// decoding again to compare needless.
class Encoder {
public:
  using Column = SmallVector<uint64_t, 0>;
  using Row = ColumnTable<Column>::Row;

  explicit Encoder(StringRef bits) : bits(bits), end(bits.size() * 8) {}

  Row &row(uint64_t block, uint64_t code) { return columns.row(block, code); }

  [[gnu::always_inline]] uint64_t fixed(Column &column, unsigned width) {
    uint64_t value = read(width);
    column.push_back(value);
    return value;
  }

  [[gnu::always_inline]] uint64_t vbr(Column &column, unsigned width) {
    uint64_t more = uint64_t(1) << (width - 1);
    uint64_t value = read(width);
    if (value & more)
      value = restOfVbr(value, width);
    column.push_back(value);
    return value;
  }

  void bytes(Column &column, uint64_t count) {
    if (count > (end - position) / 8) {
      failed = true;
      return;
    }
    const auto *first = bits.bytes_begin() + position / 8;
    column.append(first, first + count);
    position += count * 8;
  }

  void align() {
    if (position % kWord && read(kWord - position % kWord) != 0)
      failed = true;
  }

  struct Block {
    size_t begin;
    uint64_t words;
  };
  Block beginBlock() {
    uint64_t words = read(kWord);
    return {position, words};
  }
  void endBlock(const Block &block) {
    if (position - block.begin != block.words * kWord)
      failed = true;
  }

  bool more(Column &column) {
    bool left = position < end;
    column.push_back(left);
    return left;
  }

  /// All columns: number, differences or not and bytes of each, then the bytes themselves.
  std::string finish() {
    std::string head;
    SmallVector<char, 0> body;
    body.reserve(bits.size() * 2);
    columns.forEach([&](unsigned number, const Column &values) {
      bool differences = differencesAreBetter(values);
      size_t before = body.size();
      if (differences)
        appendBytes<true>(body, values);
      else
        appendBytes<false>(body, values);
      putVarint(head, number * 2 + differences + 1);
      putVarint(head, body.size() - before);
    });
    putVarint(head, 0);
    head.append(body.data(), body.size());
    return head;
  }

  bool failed = false;

private:
  /// At most kWord bits.
  [[gnu::always_inline]] uint64_t read(unsigned width) {
    if (width > end - position) {
      failed = true;
      return 0;
    }
    size_t byte = position / 8;
    unsigned offset = position % 8;
    position += width;
    uint64_t value = 0;
    if (bits.size() - byte >= sizeof value)
      std::memcpy(&value, bits.data() + byte, sizeof value);
    else
      std::memcpy(&value, bits.data() + byte, bits.size() - byte);
    return (value >> offset) & lowBits(width);
  }

  /// `chunk` is the first of a number in several chunks.
  [[gnu::noinline]] uint64_t restOfVbr(uint64_t chunk, unsigned width) {
    uint64_t more = uint64_t(1) << (width - 1), value = chunk & (more - 1);
    for (unsigned shift = width - 1; chunk & more; shift += width - 1) {
      chunk = read(width);
      uint64_t part = chunk & (more - 1);
      if (shift >= 64 || part << shift >> shift != part || chunk == 0) {
        failed = true; // too large, or in more chunks than needed
        return 0;
      }
      value |= part << shift;
    }
    return value;
  }

  StringRef bits;
  size_t position = 0;
  size_t end;
  ColumnTable<Column> columns;
};

/// From columns to bits.
class Decoder {
public:
  struct Column {
    StringRef bytes;
    bool differences = false;
    uint64_t previous = 0;
    bool empty() const { return bytes.empty(); }
  };
  using Row = ColumnTable<Column>::Row;

  Decoder(StringRef stored, size_t limit) : limit(limit) {
    std::vector<std::pair<uint64_t, uint64_t>> head;
    uint64_t number, size;
    while (takeVarint(stored, number) && number != 0 && takeVarint(stored, size))
      head.emplace_back(number - 1, size);
    if (limit > (stored.size() + 1) * kMostPerByte) {
      failed = true;
      return;
    }
    image.reserve(limit + sizeof pending);
    for (auto [numberAndKind, bytes] : head) {
      uint64_t column = numberAndKind / 2;
      if (column >= kColumns || bytes > stored.size()) {
        failed = true;
        return;
      }
      row(column / kOperands / kCodes, column / kOperands)[column % kOperands] = {
          stored.take_front(bytes), bool(numberAndKind & 1), 0};
      stored = stored.drop_front(bytes);
    }
  }

  Row &row(uint64_t block, uint64_t code) { return columns.row(block, code); }

  uint64_t fixed(Column &column, unsigned width) {
    uint64_t value = take(column);
    write(value, width);
    return value;
  }

  uint64_t vbr(Column &column, unsigned width) {
    uint64_t value = take(column), more = uint64_t(1) << (width - 1), rest = value;
    for (; rest >= more; rest >>= width - 1)
      write((rest & (more - 1)) | more, width);
    write(rest, width);
    return value;
  }

  void bytes(Column &column, uint64_t count) {
    for (uint64_t i = 0; i < count && !failed; ++i)
      fixed(column, 8);
  }

  void align() { flush(); }

  using Block = size_t;
  Block beginBlock() {
    write(0, kWord);
    flush();
    return image.size();
  }
  void endBlock(Block begin) {
    uint32_t words = (image.size() - begin) / sizeof words;
    std::memcpy(image.data() + begin - sizeof words, &words, sizeof words);
  }

  bool more(Column &column) { return take(column); }

  std::string finish() {
    flush();
    return std::move(image);
  }

  bool failed = false;

private:
  /// More bits than one byte of a column can stand for: two words, of a block that begins.
  static constexpr size_t kMostPerByte = 16;

  uint64_t take(Column &column) {
    uint64_t value;
    if (!takeVarint(column.bytes, value) || image.size() > limit) {
      failed = true;
      return 0;
    }
    if (column.differences)
      value = column.previous += unzigzag(value);
    return value;
  }

  /// At most kWord bits.
  void write(uint64_t value, unsigned width) {
    value &= lowBits(width);
    pending |= value << used;
    if (used + width < 64) {
      used += width;
      return;
    }
    image.append(reinterpret_cast<const char *>(&pending), sizeof pending);
    pending = used ? value >> (64 - used) : 0;
    used = used + width - 64;
  }

  /// Writes out the bits that wait, up to a whole number of words.
  void flush() {
    image.append(reinterpret_cast<const char *>(&pending), (used + kWord - 1) / kWord * 4);
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
  explicit Walk(Transfer &transfer)
      : io(transfer), definitions(io.row(0, kStructure)[kDefinitions]),
        topLevel(io.row(0, kStructure)[kTopLevel]) {}

  void run() {
    io.fixed(topLevel, kWord); // "BC", 0xC0DE
    while (!io.failed && io.more(topLevel))
      if (io.fixed(topLevel, 2) == kEnterBlock)
        block(0);
      else
        io.failed = true;
  }

private:
  using Column = typename Transfer::Column;
  using Row = typename Transfer::Row;
  enum : uint64_t { kEndBlock, kEnterBlock, kDefine, kUnabbreviated, kFirstAbbreviation };
  enum Encoding { Literal, Fixed, Vbr, Array, Char6, Blob };
  struct Operand {
    Encoding encoding;
    uint64_t value;
    bool hasBits() const { return encoding != Literal && (encoding == Char6 || value != 0); }
  };
  using Abbreviation = std::vector<Operand>;
  using Abbreviations = std::vector<const Abbreviation *>;

  void block(unsigned depth) {
    uint64_t id = io.vbr(io.row(0, kStructure)[kBlockHeads], 8);
    Row &structure = io.row(id, kStructure);
    unsigned width = io.vbr(structure[kBlockHeads], 4);
    io.align();
    auto extent = io.beginBlock();
    Abbreviations abbreviations = blockInfo[id];
    uint64_t describedBlock = 0; // BLOCKINFO, block 0, defines abbreviations for others
    if (depth > kDeepest || width < 2 || width > kWord)
      io.failed = true;
    while (!io.failed) {
      uint64_t what = io.fixed(structure[kAbbreviationIds], width);
      if (what == kEndBlock) {
        io.align();
        return io.endBlock(extent);
      }
      if (what == kEnterBlock)
        block(depth + 1);
      else if (what == kDefine)
        define(id == 0 ? blockInfo[describedBlock] : abbreviations);
      else if (what == kUnabbreviated)
        unabbreviated(id, structure, describedBlock);
      else if (what - kFirstAbbreviation < abbreviations.size())
        abbreviated(id, structure, *abbreviations[what - kFirstAbbreviation]);
      else
        io.failed = true;
    }
  }

  void define(Abbreviations &list) {
    Abbreviation &result = all.emplace_back();
    list.push_back(&result);
    uint64_t count = io.vbr(definitions, 5);
    for (uint64_t i = 0; i < count && !io.failed; ++i) {
      if (io.fixed(definitions, 1)) {
        result.push_back({Literal, io.vbr(definitions, 8)});
        continue;
      }
      auto encoding = Encoding(io.fixed(definitions, 3));
      bool hasWidth = encoding == Fixed || encoding == Vbr;
      uint64_t width = hasWidth ? io.vbr(definitions, 5) : 0;
      if (encoding < Fixed || encoding > Blob || width > kWord || (encoding == Vbr && width == 1))
        io.failed = true;
      result.push_back({encoding, width});
    }
    if (result.empty() || list.size() > kMostAbbreviations)
      io.failed = true;
  }

  void unabbreviated(uint64_t id, Row &structure, uint64_t &describedBlock) {
    uint64_t code = io.vbr(structure[kRecordCodes], 6);
    Row &row = io.row(id, code);
    uint64_t count = io.vbr(row[kLength], 6);
    for (uint64_t i = 0; i < count && !io.failed; ++i) {
      uint64_t value = io.vbr(row[operandIndex(i, count)], 6);
      if (id == 0 && code == 1 && i == 0) // SETBID
        describedBlock = value;
    }
  }

  uint64_t scalar(Column &column, const Operand &operand) {
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

  void abbreviated(uint64_t id, Row &structure, const Abbreviation &abbreviation) {
    uint64_t code = scalar(structure[kRecordCodes], abbreviation[0]);
    Row &row = io.row(id, code);
    for (size_t i = 1; i < abbreviation.size() && !io.failed; ++i) {
      const Operand &operand = abbreviation[i];
      if (operand.encoding == Blob) {
        uint64_t count = io.vbr(row[kLength], 6);
        io.align();
        io.bytes(row[kBlob], count);
        io.align();
      } else if (operand.encoding == Array) {
        return array(row, i - 1, i + 1 < abbreviation.size() ? abbreviation[i + 1] : operand);
      } else {
        scalar(row[operandIndex(i - 1, 0)], operand);
      }
    }
  }

  /// An array whose first element is the record's operand `first`.
  void array(Row &row, size_t first, const Operand &element) {
    uint64_t count = io.vbr(row[kLength], 6);
    if (!element.hasBits())
      io.failed = true;
    for (uint64_t i = 0; i < count && !io.failed; ++i)
      scalar(row[operandIndex(first + i, count)], element);
  }

  Transfer &io;
  Column &definitions;
  Column &topLevel;
  std::deque<Abbreviation> all;
  std::map<uint64_t, Abbreviations> blockInfo;
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
  return encoder.finish();
}

} // namespace culprit
