// Twins that are to be made, found in the cache or made in parallel.
#ifndef CULPRIT_COMPILER_TWIN_TWIN_JOBS_H
#define CULPRIT_COMPILER_TWIN_TWIN_JOBS_H

#include "compiler/cache/cache.h"
#include "compiler/loader/program.h"
#include "compiler/twin/twin.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace culprit {

struct TwinJob {
  const Image *image = nullptr; ///< null: a shim
  TwinRequest request;
  uint64_t size = 0; ///< of the bitcode
  std::function<std::string()> bitcode;
  std::string name; ///< in the cache, without suffix
  std::filesystem::path object;
  std::vector<TwinJob> parts; ///< of an open twin: functions in place of its own

  const std::string &id() const { return request.context.moduleId; }
};

/// The name of a twin: everything that decides its bytes.
std::string twinName(const TwinRequest &request);

/// Whether the twin is in the cache, with what it needs beside its object to be placed or
/// explained.
bool isComplete(const TwinJob &job, const Cache &cache);

/// Finds or makes all twins, the largest first, on `threads` threads (0: as many as there are
/// processors). The first error stops the rest.
void makeTwins(const std::vector<TwinJob *> &jobs, unsigned threads, const Cache &cache);

} // namespace culprit
#endif
