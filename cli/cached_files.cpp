// See cached_files.h.
#include "cli/cached_files.h"

#include "abi/recording.h"
#include "support/diagnostics.h"

#include <ctime>

namespace culprit {
namespace {

bool isSteady(const struct stat &file) {
  constexpr time_t kLately = 2; // seconds; more than any file system rounds times by
  constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
  time_t now = std::time(nullptr);
  return S_ISREG(file.st_mode) && file.st_uid == 0 && (file.st_mode & kOthersWrite) == 0 &&
         now - file.st_ctim.tv_sec > kLately && now - file.st_mtim.tv_sec > kLately;
}

std::string nameOf(const struct stat &file) {
  CacheKey key;
  key.add("packed file").add(std::to_string(abi::kRecordingVersion));
  for (auto number :
       {static_cast<int64_t>(file.st_dev), static_cast<int64_t>(file.st_ino),
        static_cast<int64_t>(file.st_size), int64_t{file.st_mtim.tv_sec},
        int64_t{file.st_mtim.tv_nsec}, int64_t{file.st_ctim.tv_sec}, int64_t{file.st_ctim.tv_nsec}})
    key.add(std::to_string(number));
  return key.hex() + ".packed";
}

} // namespace

std::optional<std::string> CachedFiles::find(const struct stat &file) {
  if (!isSteady(file))
    return std::nullopt;
  try {
    CacheUse use = cache_.use();
    if (auto path = cache_.findObject(nameOf(file)))
      return Cache::readObject(*path);
  } catch (const Failure &) { // NOLINT(bugprone-empty-catch): it is packed anew
  }
  return std::nullopt;
}

void CachedFiles::add(const struct stat &file, std::string_view chunk) {
  if (!isSteady(file))
    return;
  try {
    CacheUse use = cache_.use();
    cache_.storeObject(nameOf(file), chunk);
  } catch (const Failure &) { // NOLINT(bugprone-empty-catch): the next recording packs it anew
  }
}

} // namespace culprit
