// culprit-shims: makes the twins of all shims when culprit is built, so that no first use has to.
//
//   culprit-shims CACHE     CACHE: a folder of the build, where twins stay until the next time
//
// Its own folder stands beside libexec/, as bin/ does. See compiler/twin/shim_twins.h.
#include "compiler/twin/shim_twins.h"
#include "support/diagnostics.h"

#include <set>

namespace {

using namespace culprit;
namespace fs = std::filesystem;

/// Removes the files of a folder whose names are not among `kept`.
void removeOthers(const fs::path &folder, const std::set<std::string> &kept) {
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (!kept.contains(entry.path().filename().string()))
      fs::remove(entry.path());
}

void makeAll(const Cache &cache) {
  std::vector<ShimTwins> modes;
  for (const Mode *mode : allModes())
    if (mode->instrumentsShims() && &mode->modeOfShims() == mode)
      modes.emplace_back(*mode);
  std::vector<TwinJob *> jobs;
  for (ShimTwins &twins : modes)
    for (TwinJob &job : twins.jobs())
      jobs.push_back(&job);
  makeTwins(jobs, /*threads=*/0, cache);

  std::set<std::string> objects;
  for (const TwinJob *job : jobs)
    objects.insert(job->object.filename().string());
  std::set<std::string> archives;
  for (const ShimTwins &twins : modes)
    for (const fs::path &archive : twins.leaveReady())
      archives.insert(archive.filename().string());
  removeOthers(cache.folder() / "objects", objects);
  removeOthers(readyTwins(), archives);
}

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 2)
      failUsage("expected 'culprit-shims CACHE' with CACHE a folder");
    makeAll(Cache(argv[1]));
  } catch (const Failure &failure) {
    diagnose(Severity::Error, failure.what());
    return static_cast<int>(failure.code());
  }
  return 0;
}
