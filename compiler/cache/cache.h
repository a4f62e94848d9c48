// The cache: twins and linked analysis builds, by content.
//
// A file's name is the hash of everything that decides its bytes, so nothing in the cache is ever
// changed, only added and removed. A file appears by rename: two processes that build the same
// thing both succeed, and one that is killed leaves at most a temporary file, which the next
// clean-up removes. Every file ends in a seal, a hash of its name and content, and a build has a
// list of seals, so that what a full disk or a careless hand has damaged is made again.
//
// Who reads or adds holds a shared lock on the cache (CacheUse) for as long as it needs the files;
// removing takes an exclusive one. Use refreshes a file's time; over the size cap the least
// recently used go, when nobody else is at work.
#ifndef CULPRIT_COMPILER_CACHE_CACHE_H
#define CULPRIT_COMPILER_CACHE_CACHE_H

#include <cstdint>
#include <filesystem>
#include <llvm/Support/BLAKE3.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// Collects what decides the content of a cache file.
class CacheKey {
public:
  CacheKey &add(std::string_view part);
  /// The bytes of a file. Throws Failure when it cannot be read.
  CacheKey &addFile(const std::filesystem::path &path);
  std::string hex() const;

private:
  llvm::BLAKE3 hash_;
};

struct CacheItem {
  std::filesystem::path path;
  std::string what; ///< "object" or "build"
  uint64_t bytes = 0;
  std::filesystem::file_time_type used;
};

/// Nothing is removed from the cache while one of these lives, in any process. Where the folder
/// cannot be written to, nothing can be removed either, and there is no lock.
class CacheUse {
public:
  explicit CacheUse(const std::filesystem::path &folder);
  ~CacheUse();
  CacheUse(CacheUse &&other) noexcept;
  CacheUse &operator=(CacheUse &&) = delete;

private:
  int lock_;
};

class Cache {
public:
  /// The user's cache: CULPRIT_CACHE_DIR, else XDG_CACHE_HOME/culprit, else ~/.cache/culprit. Makes
  /// the folders. Throws Failure when that is not possible.
  static Cache open();
  explicit Cache(std::filesystem::path folder);

  const std::filesystem::path &folder() const { return folder_; }

  CacheUse use() const { return CacheUse(folder_); }

  /// The path of an object file, if it is there and whole; refreshes its time. Its bytes are those
  /// that were stored with the seal behind them, which linkers do not look at.
  std::optional<std::filesystem::path> findObject(const std::string &name) const;
  std::filesystem::path storeObject(const std::string &name, std::string_view bytes) const;
  /// What was stored under a path that findObject or storeObject returned.
  static std::string readObject(const std::filesystem::path &path);

  /// A build is a folder. `beginBuild` makes a temporary one; `commitBuild` seals it, renames it
  /// into place (if another process was faster, its result is used) and returns the final path.
  /// `findBuild` returns a build that is there and whole.
  std::optional<std::filesystem::path> findBuild(const std::string &name) const;
  std::filesystem::path beginBuild() const;
  std::filesystem::path commitBuild(const std::filesystem::path &temporary,
                                    const std::string &name) const;

  std::vector<CacheItem> list() const;
  /// Removes everything; returns the bytes freed. Throws Failure when another process uses the
  /// cache and does not finish soon.
  uint64_t clear() const;
  /// Removes what killed processes left and, while the cache is larger than its cap, the least
  /// recently used items except those used in the last seconds. Does nothing when another process
  /// uses the cache; this one must not hold a CacheUse.
  void trim() const;
  /// CULPRIT_CACHE_SIZE (bytes, or with K, M or G), else 5 GiB.
  static uint64_t sizeCap();

private:
  std::filesystem::path folder_;
};

/// A folder that is removed when it goes out of scope, unless released.
class TemporaryFolder {
public:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::filesystem::path &path() const { return path_; }
  void release() { path_.clear(); }

private:
  std::filesystem::path path_;
};

} // namespace culprit
#endif
