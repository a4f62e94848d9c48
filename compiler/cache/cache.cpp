// See cache.h.
#include "compiler/cache/cache.h"

#include "support/diagnostics.h"
#include "support/files.h"
#include "support/hash.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <llvm/Support/BLAKE3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;

CacheKey &CacheKey::add(std::string_view part) {
  text_ += std::to_string(part.size()) + ":";
  text_ += part;
  return *this;
}

std::string CacheKey::hex() const {
  auto digest = llvm::BLAKE3::hash<16>(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text_.data()), text_.size()));
  return toHex(digest.data(), digest.size());
}

namespace {

fs::path userFolder() {
  if (const char *own = std::getenv("CULPRIT_CACHE_DIR"); own && *own)
    return own;
  if (const char *xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return fs::path(xdg) / "culprit";
  if (const char *home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "culprit";
  failUsage("no place for the cache: neither CULPRIT_CACHE_DIR, XDG_CACHE_HOME nor HOME is set; "
            "set CULPRIT_CACHE_DIR to a folder");
}

void touch(const fs::path &path) {
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

uint64_t sizeOf(const fs::path &path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored))
    return fs::file_size(path, ignored);
  uint64_t total = 0;
  for (const auto &entry : fs::recursive_directory_iterator(path, ignored))
    if (entry.is_regular_file(ignored))
      total += entry.file_size(ignored);
  return total;
}

} // namespace

Cache::Cache(fs::path folder) : folder_(fs::absolute(folder)) {
  for (const char *part : {"objects", "builds", "temporary"}) {
    std::error_code error;
    fs::create_directories(folder_ / part, error);
    if (error)
      failUsage("cannot make the cache folder '{}': {}; make it writable or set CULPRIT_CACHE_DIR "
                "to another folder",
                (folder_ / part).string(), error.message());
  }
}

Cache Cache::open() {
  return Cache(userFolder());
}

std::optional<fs::path> Cache::findObject(const std::string &name) const {
  fs::path path = folder_ / "objects" / name;
  if (access(path.c_str(), R_OK) != 0)
    return std::nullopt;
  touch(path);
  return path;
}

fs::path Cache::storeObject(const std::string &name, std::string_view bytes) const {
  fs::path path = folder_ / "objects" / name;
  try {
    writeFileAtomically(path, bytes);
  } catch (const Failure &failure) {
    failUsage("{}; the cache needs room and write permission (set CULPRIT_CACHE_DIR to use another "
              "folder)",
              failure.what());
  }
  return path;
}

std::optional<fs::path> Cache::findBuild(const std::string &name) const {
  fs::path path = folder_ / "builds" / name;
  std::error_code error;
  if (!fs::is_directory(path, error))
    return std::nullopt;
  touch(path);
  return path;
}

fs::path Cache::beginBuild() const {
  std::string path = (folder_ / "temporary" / "build-XXXXXX").string();
  if (!mkdtemp(path.data()))
    failUsage("cannot make a folder in '{}': {}; make it writable or set CULPRIT_CACHE_DIR to "
              "another folder",
              (folder_ / "temporary").string(), std::strerror(errno));
  return path;
}

fs::path Cache::commitBuild(const fs::path &temporary, const std::string &name) const {
  fs::path path = folder_ / "builds" / name;
  if (rename(temporary.c_str(), path.c_str()) == 0)
    return path;
  int reason = errno;
  std::error_code error;
  if (!fs::is_directory(path, error))
    failUsage("cannot move a finished build to '{}': {}", path.string(), std::strerror(reason));
  fs::remove_all(temporary, error);
  return path;
}

std::vector<CacheItem> Cache::list() const {
  std::vector<CacheItem> items;
  std::error_code error;
  for (auto [part, what] : {std::pair{"objects", "object"}, {"builds", "build"}})
    for (const auto &entry : fs::directory_iterator(folder_ / part, error))
      items.push_back({entry.path(), what, sizeOf(entry.path()), entry.last_write_time(error)});
  std::sort(items.begin(), items.end(),
            [](const CacheItem &a, const CacheItem &b) { return a.used > b.used; });
  return items;
}

uint64_t Cache::clear() const {
  uint64_t freed = 0;
  std::error_code error;
  for (const char *part : {"objects", "builds", "temporary"})
    for (const auto &entry : fs::directory_iterator(folder_ / part, error)) {
      freed += sizeOf(entry.path());
      fs::remove_all(entry.path(), error);
    }
  return freed;
}

uint64_t Cache::sizeCap() {
  constexpr uint64_t kDefault = uint64_t{5} << 30;
  const char *text = std::getenv("CULPRIT_CACHE_SIZE");
  if (!text || !*text)
    return kDefault;
  char *end = nullptr;
  uint64_t number = std::strtoull(text, &end, 10);
  std::string_view unit = end;
  if (end == text || (unit != "" && unit != "K" && unit != "M" && unit != "G"))
    failUsage(
        "CULPRIT_CACHE_SIZE is '{}'; expected a number of bytes, with K, M or G behind it for "
        "larger units",
        text);
  return number << (unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0);
}

void Cache::trim() const {
  int lock = ::open((folder_ / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (lock < 0)
    return;
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
    std::error_code error;
    auto anHourAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto &entry : fs::directory_iterator(folder_ / "temporary", error))
      if (entry.last_write_time(error) < anHourAgo)
        fs::remove_all(entry.path(), error);
    std::vector<CacheItem> items = list();
    uint64_t total = 0;
    for (const CacheItem &item : items)
      total += item.bytes;
    for (uint64_t cap = sizeCap(); total > cap && !items.empty(); items.pop_back()) {
      total -= items.back().bytes;
      fs::remove_all(items.back().path, error);
    }
  }
  close(lock);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty())
    fs::remove_all(path_, ignored);
}

} // namespace culprit
