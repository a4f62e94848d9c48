// See twin_jobs.h.
#include "compiler/twin/twin_jobs.h"

#include "compiler/twin/identity.h"
#include "compiler/twin/optimise.h"
#include "support/progress.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

namespace culprit {
namespace {

/// Of the memory and sites of shims and parts nobody asks.
std::vector<std::string> suffixesOf(const TwinRequest &request) {
  std::vector<std::string> suffixes{".o"};
  if (request.context.isShim || !request.context.part.empty())
    return suffixes;
  if (request.isOpen)
    suffixes.insert(suffixes.end(), {".parts", ".unsafe"});
  suffixes.push_back(".memory");
  if (request.mode->wantsSites())
    suffixes.push_back(".sites");
  return suffixes;
}

void makeOne(TwinJob &job, const Cache &cache) {
  if (isComplete(job, cache)) {
    job.object = cache.folder() / "objects" / (job.name + ".o");
    return;
  }
  Twin twin = makeTwin(job.bitcode(), job.request);
  const std::map<std::string, const std::string *> parts = {{".o", &twin.object},
                                                            {".memory", &twin.memory},
                                                            {".sites", &twin.sites},
                                                            {".parts", &twin.parts},
                                                            {".unsafe", &twin.unsafeLocals}};
  for (const std::string &suffix : suffixesOf(job.request))
    cache.storeObject(job.name + suffix, *parts.at(suffix));
  job.object = cache.folder() / "objects" / (job.name + ".o");
}

} // namespace

std::string twinName(const TwinRequest &request) {
  CacheKey key;
  if (request.context.ownFunctions)
    for (const std::string &name : *request.context.ownFunctions)
      key.add(name);
  return key.add(compilerIdentity())
      .add(request.mode->name())
      .add(request.context.moduleId)
      .add(request.forSharedLibrary ? "shared" : "executable")
      .add(request.context.isThreaded ? "threads" : "")
      .add(request.context.isShim ? "shim" : "")
      .add(request.separateSections ? "sections" : "")
      .add(request.hasOwnStreams ? "streams" : "")
      .add(request.isPrivateCopy ? "private" : "")
      .add(request.isOpen ? "open" : "")
      .add(request.context.part)
      .add(request.mode->wantsPromoted() ? std::to_string(request.context.firstSite) : "")
      .add(request.context.sites.text())
      .hex();
}

bool isComplete(const TwinJob &job, const Cache &cache) {
  std::vector<std::string> suffixes = suffixesOf(job.request);
  return std::all_of(suffixes.begin(), suffixes.end(), [&](const std::string &suffix) {
    return cache.findObject(job.name + suffix).has_value();
  });
}

void makeTwins(const std::vector<TwinJob *> &jobs, unsigned threads, const Cache &cache) {
  initialiseTarget();
  threads = threads ? threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<TwinJob *> order = jobs;
  std::sort(order.begin(), order.end(), [](const TwinJob *a, const TwinJob *b) {
    return std::pair(b->size, a->name) < std::pair(a->size, b->name);
  });
  std::atomic<size_t> next = 0;
  std::exception_ptr error;
  std::mutex mutex;
  Progress progress("making the analysis build", order.size());
  auto work = [&] {
    for (size_t i; (i = next++) < order.size();) {
      try {
        makeOne(*order[i], cache);
      } catch (...) {
        std::lock_guard guard(mutex);
        if (!error)
          error = std::current_exception();
        next = order.size();
      }
      std::lock_guard guard(mutex);
      progress.step();
    }
  };
  std::vector<std::thread> pool;
  for (size_t i = 1; i < std::min<size_t>(threads, order.size()); ++i)
    pool.emplace_back(work);
  work();
  for (std::thread &thread : pool)
    thread.join();
  if (error)
    std::rethrow_exception(error);
}

} // namespace culprit
