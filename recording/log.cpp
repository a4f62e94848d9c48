// See log.h.
#include "recording/log.h"

#include "abi/quick_hash.h"
#include "abi/recording.h"
#include "recording/checkpoint.h"
#include "recording/log_writer.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Error.h>
#include <set>

namespace culprit {
namespace fs = std::filesystem;
namespace {

uint64_t checksumOf(std::string_view bytes) {
  abi::QuickHash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

uint64_t checksumOf(const ChunkHeader &header) {
  return checksumOf(
      {reinterpret_cast<const char *>(&header), offsetof(ChunkHeader, headerChecksum)});
}

[[noreturn]] void failDamaged(const std::string &name, const std::string &why) {
  failUsage("'{}' is damaged: {}; record anew, or restore it from a copy", name, why);
}

/// The next header. Nothing: the rest is less than one, which `isTorn` tells from the end.
std::optional<ChunkHeader> takeHeader(LogSource &source, const std::string &name, bool &isTorn) {
  ChunkHeader header;
  size_t size = source.take(&header, sizeof header);
  isTorn = size != 0;
  if (size != sizeof header)
    return std::nullopt;
  if (header.magic != abi::kChunkMagic)
    failDamaged(name, "a part does not begin as one");
  if (header.version != abi::kRecordingVersion)
    failUsage(
        "'{}' is a recording of version {}, this culprit reads version {}; replay it with the "
        "culprit that made it, or record anew",
        name, header.version, abi::kRecordingVersion);
  if (checksumOf(header) != header.headerChecksum)
    failDamaged(name, "the checksum of a part's header is wrong");
  if (header.rawSize > kMostChunk || header.packedSize > header.rawSize ||
      header.fill > abi::kMostFill)
    failDamaged(name, fmt::format("part {} has an impossible size", header.sequence));
  return header;
}

/// Reads the zeros behind a chunk. False: they are not all there.
bool takeFill(LogSource &source, const ChunkHeader &header, const std::string &name) {
  char fill[abi::kMostFill] = {};
  if (source.take(fill, header.fill) != header.fill)
    return false;
  if (std::any_of(fill, fill + header.fill, [](char each) { return each != 0; }))
    failDamaged(name, fmt::format("there is something behind part {}", header.sequence));
  return true;
}

/// Reads what follows the header. False: it is not all there.
bool takePayload(LogSource &source, const ChunkHeader &header, const std::string &name,
                 std::string &bytes) {
  std::string packed;
  bool isPacked = header.packedSize != header.rawSize;
  std::string &stored = isPacked ? packed : bytes;
  stored.resize(header.packedSize);
  if (source.take(stored.data(), stored.size()) != stored.size())
    return false;
  if (checksumOf(std::string_view(stored)) != header.checksum)
    failDamaged(name, fmt::format("the checksum of part {} is wrong", header.sequence));
  if (!takeFill(source, header, name))
    return false;
  if (!isPacked)
    return true;
  bytes.resize(header.rawSize);
  size_t size = header.rawSize;
  llvm::Error error =
      llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(llvm::StringRef(packed)),
                                          reinterpret_cast<uint8_t *>(bytes.data()), size);
  bool isGood = !error && size == header.rawSize;
  llvm::consumeError(std::move(error));
  if (!isGood)
    failDamaged(name, fmt::format("part {} cannot be unpacked", header.sequence));
  return true;
}

size_t leastSize(abi::EventKind kind) {
  switch (kind) {
  case abi::EventKind::Start:
    return sizeof(abi::StartEvent);
  case abi::EventKind::Call:
    return sizeof(abi::CallEvent);
  case abi::EventKind::Bytes:
    return sizeof(abi::Event) + sizeof(abi::WrittenBytes);
  case abi::EventKind::Signal:
    return sizeof(abi::SignalEvent);
  case abi::EventKind::Value:
    return sizeof(abi::ValueEvent);
  case abi::EventKind::Digest:
    return sizeof(abi::DigestEvent);
  case abi::EventKind::Stop:
    return sizeof(abi::StopEvent);
  }
  return 0;
}

template <typename Type> Type at(std::string_view bytes) {
  Type value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// Whether `count` stretches fill `bytes`.
bool areStretches(std::string_view bytes, uint64_t count) {
  for (; count > 0; --count) {
    if (bytes.size() < sizeof(abi::WrittenBytes))
      return false;
    uint64_t size = at<abi::WrittenBytes>(bytes).size;
    bytes.remove_prefix(sizeof(abi::WrittenBytes));
    if (size > bytes.size() || (size + 7) / 8 * 8 > bytes.size())
      return false;
    bytes.remove_prefix((size + 7) / 8 * 8);
  }
  return bytes.empty();
}

bool isWellFormed(std::string_view event) {
  auto head = at<abi::Event>(event);
  size_t least = leastSize(head.kind);
  if (least == 0 || event.size() < least)
    return false;
  if (head.kind == abi::EventKind::Start)
    return at<abi::StartEvent>(event).auxiliaryCount == (event.size() - least) / 16;
  if (head.kind == abi::EventKind::Call)
    return areStretches(event.substr(least), at<abi::CallEvent>(event).writes);
  if (head.kind == abi::EventKind::Bytes)
    return areStretches(event.substr(sizeof(abi::Event)), 1);
  if (head.kind == abi::EventKind::Signal)
    return at<abi::SignalEvent>(event).signal - 1 < 64;
  return event.size() == least;
}

void noteEvent(std::string_view event, RecordedLog &log) {
  int64_t file = -1;
  log.stop.reset();
  switch (at<abi::Event>(event).kind) {
  case abi::EventKind::Call:
    file = at<abi::CallEvent>(event).file;
    break;
  case abi::EventKind::Start:
    file = log.loader = at<abi::StartEvent>(event).loader;
    break;
  case abi::EventKind::Stop:
    log.stop = at<abi::StopEvent>(event);
    break;
  default:
    break;
  }
  if (file >= 0)
    log.files.insert(file);
}

/// The events of a chunk, which `source` has just brought. Those that are stored as they are stay
/// in the log.
void takeEvents(const LogSource &source, const ChunkHeader &header, std::string_view events,
                const std::string &name, RecordedLog &log) {
  noteEvents(events, name, log);
  bool isStored = header.packedSize == header.rawSize;
  uint64_t begin = source.position() - header.fill - events.size();
  if (!isStored || !log.events.appendFrom(source.file(), begin, events.size()))
    log.events.append(events);
}

} // namespace

ChunkHeader headerOf(ChunkKind kind, uint64_t sequence, uint64_t size, std::string_view packed) {
  ChunkHeader header = {};
  header.magic = abi::kChunkMagic;
  header.version = static_cast<uint16_t>(abi::kRecordingVersion);
  header.kind = kind;
  header.sequence = sequence;
  header.rawSize = static_cast<uint32_t>(size);
  header.packedSize = static_cast<uint32_t>(packed.size());
  header.fill = static_cast<uint32_t>((8 - packed.size() % 8) % 8);
  header.checksum = checksumOf(packed);
  header.headerChecksum = checksumOf(header);
  return header;
}

std::string packChunk(ChunkKind kind, uint64_t sequence, std::string_view bytes) {
  llvm::SmallVector<uint8_t, 0> packed;
  constexpr int kLevel = 1;
  llvm::compression::zstd::compress(
      llvm::arrayRefFromStringRef(llvm::StringRef(bytes.data(), bytes.size())), packed, kLevel);
  std::string_view stored = bytes;
  if (packed.size() < bytes.size())
    stored = {reinterpret_cast<const char *>(packed.data()), packed.size()};
  ChunkHeader header = headerOf(kind, sequence, bytes.size(), stored);
  std::string chunk(reinterpret_cast<const char *>(&header), sizeof header);
  chunk += stored;
  chunk.append(header.fill, '\0');
  return chunk;
}

std::optional<Chunk> takeChunk(std::string_view &bytes, const std::string &name) {
  LogSource source(bytes);
  bool isTorn = false;
  std::optional<ChunkHeader> header = takeHeader(source, name, isTorn);
  std::string content;
  if (!header || !takePayload(source, *header, name, content))
    return std::nullopt;
  bytes.remove_prefix(sizeof *header + header->packedSize + header->fill);
  return Chunk{*header, std::move(content)};
}

void noteEvents(std::string_view events, const std::string &name, RecordedLog &log) {
  while (!events.empty()) {
    ++log.eventCount;
    uint64_t size = events.size() < sizeof(abi::Event) ? 0 : at<abi::Event>(events).size;
    if (size < sizeof(abi::Event) || size % 8 != 0 || size > events.size() ||
        !isWellFormed(events.substr(0, size)))
      failDamaged(name, fmt::format("event {} is malformed", log.eventCount));
    noteEvent(events, log);
    events.remove_prefix(size);
  }
}

RecordedLog parseLog(std::string_view bytes, const std::string &name) {
  LogSource source(bytes);
  return parseLog(source, name);
}

RecordedLog parseLog(LogSource &source, const std::string &name) {
  RecordedLog log;
  std::string bytes;
  uint64_t sequence = 0;
  bool isEnded = false;
  while (std::optional<ChunkHeader> header = takeHeader(source, name, log.isTorn)) {
    if (header->sequence != sequence || isEnded ||
        (header->kind == ChunkKind::Meta) != (sequence == 0))
      failDamaged(name, fmt::format("part {} is not where it belongs", header->sequence));
    log.isTorn = !takePayload(source, *header, name, bytes);
    if (log.isTorn)
      break;
    ++sequence;
    if (header->kind == ChunkKind::Meta) {
      log.meta = RecordingMeta::parse(bytes, name);
    } else if (header->kind == ChunkKind::Events) {
      takeEvents(source, *header, bytes, name, log);
    } else if (header->kind == ChunkKind::End && bytes.size() == sizeof(RecordedEnd)) {
      log.end = at<RecordedEnd>(bytes);
      isEnded = true;
    } else {
      failDamaged(name, fmt::format("part {} is of an unknown kind", header->sequence));
    }
  }
  if (sequence == 0)
    failUsage("'{}' holds no recording: nothing was written before its recorder was ended", name);
  return log;
}

void parsePart(LogSource &source, const std::string &name, bool isFirst, RecordedLog &log) {
  std::string bytes;
  uint64_t sequence = 0;
  bool isTorn = false;
  while (std::optional<ChunkHeader> header = takeHeader(source, name, isTorn)) {
    bool isCheckpointPlace = sequence == 0 && header->kind == ChunkKind::Checkpoint;
    if (header->sequence != sequence++ || (header->kind != ChunkKind::Events && !isCheckpointPlace))
      failDamaged(name, fmt::format("part {} is not where it belongs", header->sequence));
    isTorn = !takePayload(source, *header, name, bytes);
    if (isTorn)
      break;
    if (!isCheckpointPlace) {
      noteEvents(bytes, name, log);
      log.events.append(bytes);
    } else if (!isCheckpoint(bytes)) {
      failDamaged(name, "the memory that it starts with is malformed");
    } else if (isFirst) {
      log.checkpoint = std::move(bytes);
    }
  }
  log.isTorn = log.isTorn || isTorn;
}

fs::path partIn(const fs::path &folder, int64_t number) {
  return folder / fmt::format("events-{}", number);
}

fs::path logIn(const fs::path &folder) {
  return folder / "log";
}

fs::path keptFileIn(const fs::path &folder, int64_t number) {
  return folder / "files" / std::to_string(number);
}

std::set<int64_t> partsOf(const fs::path &folder) {
  constexpr std::string_view kPrefix = "events-";
  std::set<int64_t> numbers;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    int64_t number = -1;
    if (name.starts_with(kPrefix))
      std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
    if (number >= 0)
      numbers.insert(number);
  }
  return numbers;
}

RecordedLog readLog(const fs::path &folder) {
  if (!fs::exists(logIn(folder)))
    failUsage("'{}' is {}, and is no recording; expected a program, or a folder that "
              "'culprit record' made",
              folder.string(), fs::is_directory(folder) ? "a folder" : "a file");
  waitForKeeper(logIn(folder));
  LogSource source(logIn(folder));
  RecordedLog log = parseLog(source, folder.string());
  std::set<int64_t> parts = partsOf(folder);
  for (int64_t number : parts) {
    bool isFirst = number == *parts.begin();
    fs::path path = partIn(folder, number);
    if (!isFirst && !parts.contains(number - 1))
      failDamaged(folder.string(),
                  fmt::format("'{}' is missing", partIn(folder, number - 1).filename().string()));
    LogSource part(path);
    parsePart(part, path.string(), isFirst, log);
    if (isFirst && number > 0 && log.checkpoint.empty())
      failUsage("'{}' holds no memory to start from: its recorder was ended while it wrote it",
                path.string());
  }
  return log;
}

} // namespace culprit
