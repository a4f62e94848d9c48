// Writing and recognising entries. See entry.h.
//
// A module of a few lines has two kilobytes that all modules have: abbreviations, target,
// attributes, names of basic types. Columns are compressed with a dictionary of such, which halves
// small modules.
#include "compiler/embed/entry.h"
#include "compiler/embed/bitcode_pack.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include <array>
#include <cstring>
#include <zstd.h>

using namespace llvm;

namespace culprit {
namespace {

constexpr int kCompressionLevel = 3;
constexpr uint64_t kLargestPayload = uint64_t(4) << 30; ///< more is damage, not a module
constexpr uint64_t kMostPerByte = 1 << 15; ///< zstd stores 128 KiB of one byte in four bytes
constexpr size_t kBytesPerLine = 4096;
constexpr StringLiteral kOpening = ".pushsection .culprit.bc,\"\",@progbits\n";
constexpr StringLiteral kLine = ".ascii \"";

std::array<uint8_t, 16> digest(StringRef bytes) {
  return BLAKE3::hash<16>(arrayRefFromStringRef(bytes));
}

/// zstd over `bytes`; empty if there is no memory for it.
std::string compressed(StringRef bytes) {
  std::string stored(ZSTD_compressBound(bytes.size()), '\0');
  size_t size =
      ZSTD_compress(stored.data(), stored.size(), bytes.data(), bytes.size(), kCompressionLevel);
  stored.resize(ZSTD_isError(size) ? 0 : size);
  return stored;
}

std::optional<std::string> decompressed(StringRef stored) {
  uint64_t size = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (size > kLargestPayload || size / kMostPerByte > stored.size())
    return std::nullopt;
  std::string bytes(size, '\0');
  if (ZSTD_decompress(bytes.data(), bytes.size(), stored.data(), stored.size()) != size)
    return std::nullopt;
  return bytes;
}

bool isOctal(char c) {
  return c >= '0' && c <= '7';
}

/// How a byte is written when no digit follows, padded to four characters, and how many of them
/// count. GNU as reads 8 and 9 as octal digits, too.
struct Spelling {
  char text[4];
  uint8_t size;
};

constexpr Spelling octal(unsigned byte, bool full) {
  Spelling result{{'\\'}, 1};
  for (unsigned shift : {6, 3, 0})
    if (full || shift == 0 || byte >> shift)
      result.text[result.size++] = char('0' + (byte >> shift & 7));
  return result;
}

constexpr auto kSpellings = [] {
  std::array<Spelling, 256> all{};
  for (unsigned byte = 0; byte < all.size(); ++byte) {
    bool asItIs = byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
    all[byte] = asItIs ? Spelling{{char(byte)}, 1} : octal(byte, /*full=*/false);
  }
  return all;
}();

void appendLine(std::string &text, StringRef bytes) {
  text += kLine;
  size_t begin = text.size();
  text.resize(begin + bytes.size() * sizeof(Spelling::text));
  char *at = text.data() + begin;
  for (size_t i = 0; i < bytes.size(); ++i) {
    Spelling spelling = kSpellings[uint8_t(bytes[i])];
    if (spelling.size > 1 && i + 1 < bytes.size() && isDigit(bytes[i + 1]))
      spelling = octal(uint8_t(bytes[i]), /*full=*/true);
    std::memcpy(at, spelling.text, sizeof spelling.text);
    at += spelling.size;
  }
  text.resize(at - text.data());
  text += "\"\n";
}

/// Undoes appendLine for at most `count` bytes.
std::string decodeLine(StringRef text, size_t count) {
  std::string bytes;
  while (bytes.size() < count && !text.empty() && text.front() != '"') {
    if (!text.consume_front("\\")) {
      bytes += text.front();
      text = text.drop_front();
      continue;
    }
    unsigned value = 0;
    for (int digits = 0; digits < 3 && !text.empty() && isOctal(text.front()); ++digits) {
      value = value * 8 + (text.front() - '0');
      text = text.drop_front();
    }
    bytes += char(value);
  }
  return bytes;
}

bool readHeader(StringRef bytes, abi::EntryHeader &header) {
  if (bytes.size() < sizeof header)
    return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return std::memcmp(header.magic, abi::kEntryMagic, sizeof header.magic) == 0;
}

std::string hexId(const abi::EntryHeader &header) {
  return toHex(ArrayRef<uint8_t>(header.id), /*LowerCase=*/true);
}

} // namespace

std::string makeEntry(abi::EntryKind kind, StringRef payload, uint32_t llvmMajor) {
  std::optional<std::string> packed;
  if (llvmMajor)
    packed = packBitcode(payload);
  std::string stored = packed ? std::move(*packed) : compressed(payload);
  abi::EntryHeader header{};
  std::memcpy(header.magic, abi::kEntryMagic, sizeof header.magic);
  header.version = abi::kEmbedVersion;
  header.kind = uint32_t(kind);
  header.llvmMajor = llvmMajor;
  header.encoding = uint32_t(packed ? abi::Encoding::Packed : abi::Encoding::Plain);
  header.storedSize = stored.size();
  header.rawSize = payload.size();
  std::array<uint8_t, 16> id = digest(payload);
  std::memcpy(header.id, id.data(), id.size());
  std::string entry(reinterpret_cast<const char *>(&header), sizeof header);
  return entry + stored;
}

std::optional<std::string> entryPayload(const abi::EntryHeader &header, StringRef stored) {
  std::optional<std::string> payload;
  if (header.rawSize > kLargestPayload)
    return std::nullopt;
  if (header.encoding == uint32_t(abi::Encoding::Plain))
    payload = decompressed(stored);
  else if (header.encoding == uint32_t(abi::Encoding::Packed))
    payload = unpackBitcode(stored, header.rawSize);
  if (!payload || payload->size() != header.rawSize ||
      std::memcmp(digest(*payload).data(), header.id, sizeof header.id) != 0)
    return std::nullopt;
  return payload;
}

std::string entryAsAssembler(StringRef entry) {
  std::string text;
  text.reserve(entry.size() * 3 + 256);
  text += kOpening;
  appendLine(text, entry.take_front(sizeof(abi::EntryHeader)));
  entry = entry.drop_front(sizeof(abi::EntryHeader));
  for (; !entry.empty(); entry = entry.drop_front(std::min(kBytesPerLine, entry.size())))
    appendLine(text, entry.take_front(kBytesPerLine));
  text += ".popsection\n";
  return text;
}

bool assemblerHasEntry(StringRef text) {
  return text.contains(kOpening);
}

namespace {
/// Calls `visit` with the header of every entry of a section.
template <typename Visit> void forEachEntry(StringRef section, Visit visit) {
  abi::EntryHeader header;
  while (readHeader(section, header)) {
    visit(header);
    section = section.drop_front(sizeof header);
    section = section.drop_front(std::min<uint64_t>(header.storedSize, section.size()));
  }
}
} // namespace

std::vector<std::string> entryIds(StringRef section) {
  std::vector<std::string> ids;
  forEachEntry(section, [&](const abi::EntryHeader &header) { ids.push_back(hexId(header)); });
  return ids;
}

bool holdsCode(StringRef section) {
  bool found = false;
  forEachEntry(section, [&](const abi::EntryHeader &header) {
    found |= header.kind != uint32_t(abi::EntryKind::Foreign);
  });
  return found;
}

std::vector<std::string> entryIdsInAssembler(StringRef text) {
  std::vector<std::string> ids;
  abi::EntryHeader header;
  for (size_t at = text.find(kOpening); at != StringRef::npos; at = text.find(kOpening)) {
    text = text.drop_front(at + kOpening.size());
    StringRef line = text;
    if (line.consume_front(kLine) && readHeader(decodeLine(line, sizeof header), header))
      ids.push_back(hexId(header));
  }
  return ids;
}

std::string contentId(StringRef bytes) {
  return toHex(digest(bytes), /*LowerCase=*/true);
}

} // namespace culprit
