// See cache.h.
#include "compiler/cache/cache.h"

#include "compiler/cache/seal.h"
#include "support/diagnostics.h"
#include "support/files.h"
#include "support/hash.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace culprit {
namespace fs = std::filesystem;

CacheKey &CacheKey::add(std::string_view part) {
  hash_.update(std::to_string(part.size()) + ":");
  hash_.update(llvm::StringRef(part.data(), part.size()));
  return *this;
}

CacheKey &CacheKey::addFile(const fs::path &path) {
  return add(MappedFile(path).bytes());
}

std::string CacheKey::hex() const {
  llvm::BLAKE3 hash = hash_;
  auto digest = hash.final<16>();
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
  if (const passwd *user = getpwuid(getuid()); user && user->pw_dir && *user->pw_dir)
    return fs::path(user->pw_dir) / ".cache" / "culprit";
  failUsage(
      "no place for the cache: neither CULPRIT_CACHE_DIR, XDG_CACHE_HOME nor HOME is set, and the "
      "user has no home folder; "
      "set CULPRIT_CACHE_DIR to a folder");
}

void touch(const fs::path &path) {
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

void warnOfDamage(const fs::path &path) {
  diagnose(Severity::Warning,
           fmt::format("'{}' in the cache is damaged; it is made again", path.string()));
}

/// The lock file of a cache, closed and thereby unlocked at the end.
class Lock {
public:
  explicit Lock(const fs::path &folder)
      : file_(::open((folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {}
  ~Lock() {
    if (file_ >= 0)
      close(file_);
  }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;

  bool take(int how) {
    isTaken_ = file_ >= 0 && flock(file_, how) == 0;
    return isTaken_;
  }
  bool isBusy() const { return file_ >= 0 && !isTaken_; }
  /// The locked file, which the caller closes.
  int release() { return std::exchange(file_, -1); }

private:
  int file_;
  bool isTaken_ = false;
};

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

CacheUse::CacheUse(const fs::path &folder) {
  Lock lock(folder);
  lock.take(LOCK_SH);
  lock_ = lock.release();
}

CacheUse::CacheUse(CacheUse &&other) noexcept : lock_(std::exchange(other.lock_, -1)) {}

CacheUse::~CacheUse() {
  if (lock_ >= 0)
    close(lock_);
}

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
  if (!isSealed(name, MappedFile(path).bytes())) {
    warnOfDamage(path);
    return std::nullopt;
  }
  touch(path);
  return path;
}

fs::path Cache::storeObject(const std::string &name, std::string_view bytes) const {
  fs::path path = folder_ / "objects" / name;
  try {
    replaceFile(path, (folder_ / "temporary" / "object-XXXXXX").string(),
                std::string(bytes) + sealOf(name, bytes));
  } catch (const Failure &failure) {
    failUsage("{}; the cache needs room and write permission (set CULPRIT_CACHE_DIR to use another "
              "folder)",
              failure.what());
  }
  return path;
}

std::string Cache::readObject(const fs::path &path) {
  std::string bytes = readFile(path);
  if (!isSealed(path.filename().string(), bytes))
    failUsage("'{}' in the cache is damaged; run the command again to have it made anew",
              path.string());
  bytes.resize(bytes.size() - kSealSize);
  return bytes;
}

std::optional<fs::path> Cache::findBuild(const std::string &name) const {
  fs::path path = folder_ / "builds" / name;
  std::error_code error;
  if (!fs::is_directory(path, error))
    return std::nullopt;
  if (!isFolderSealed(path)) {
    // Out of the way, or the new one could not take its place.
    warnOfDamage(path);
    rename(path.c_str(), (folder_ / "temporary" / (name + "-damaged")).c_str());
    return std::nullopt;
  }
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
  sealFolder(temporary);
  mode_t mask = umask(0); // mkdtemp keeps others out, who may share the cache
  umask(mask);
  chmod(temporary.c_str(), 0777 & ~mask);
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
  constexpr int kTries = 50;
  Lock lock(folder_);
  for (int i = 0; i < kTries && !lock.take(LOCK_EX | LOCK_NB); ++i)
    usleep(100'000);
  if (lock.isBusy())
    failUsage("the cache '{}' is in use by another culprit; try again when that has finished",
              folder_.string());
  uint64_t freed = 0;
  std::error_code error;
  for (const char *part : {"objects", "builds", "temporary"})
    for (const auto &entry : fs::directory_iterator(folder_ / part, error)) {
      uint64_t size = sizeOf(entry.path());
      if (fs::remove_all(entry.path(), error); error)
        failUsage("cannot remove '{}': {}", entry.path().string(), error.message());
      freed += size;
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
  uint64_t cap = sizeCap();
  Lock lock(folder_);
  if (!lock.take(LOCK_EX | LOCK_NB))
    return;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder_ / "temporary", error))
    fs::remove_all(entry.path(), error); // nobody is at work: left by the killed
  std::vector<CacheItem> items = list();
  uint64_t total = 0;
  for (const CacheItem &item : items)
    total += item.bytes;
  // A program that was just started may still load its twin libraries.
  auto recently = fs::file_time_type::clock::now() - std::chrono::seconds(10);
  for (; total > cap && !items.empty() && items.back().used < recently; items.pop_back()) {
    total -= items.back().bytes;
    fs::remove_all(items.back().path, error);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty())
    fs::remove_all(path_, ignored);
}

} // namespace culprit
