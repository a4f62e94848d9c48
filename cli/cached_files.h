// Packed files of recordings in the cache.
#ifndef CULPRIT_CLI_CACHED_FILES_H
#define CULPRIT_CLI_CACHED_FILES_H

#include "compiler/cache/cache.h"
#include "recording/packed_files.h"

namespace culprit {

/// Only files of the system's that others cannot write to, and that have not changed lately: for
/// these, what stat says changes with the contents. Where the cache cannot be written to, nothing
/// is kept.
class CachedFiles : public PackedFiles {
public:
  explicit CachedFiles(const Cache &cache) : cache_(cache) {}

  std::optional<std::string> find(const struct stat &file) override;
  void add(const struct stat &file, std::string_view chunk) override;

private:
  const Cache &cache_;
};

} // namespace culprit
#endif
