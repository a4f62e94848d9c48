// See inputs.h.
#include "analysis/triage/inputs.h"

#include "support/diagnostics.h"

#include <algorithm>
#include <set>

namespace culprit {
namespace fs = std::filesystem;
namespace {

using Paths = std::vector<fs::path>;

bool startsWithAny(const fs::path &path, std::initializer_list<std::string_view> beginnings) {
  std::string name = path.filename().string();
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

bool isFromAfl(const fs::path &file) {
  return startsWithAny(file, {"id:", "id_"});
}

bool isFromLibFuzzer(const fs::path &file) {
  return startsWithAny(file, {"crash-", "oom-", "timeout-", "leak-"});
}

bool isPlain(const fs::path &file) {
  return !startsWithAny(file, {"."}) && file.filename() != "README.txt";
}

bool isCrashFolder(const fs::path &folder) {
  return startsWithAny(folder, {"crashes"}) && fs::is_directory(folder);
}

Paths childrenOf(const fs::path &folder) {
  std::error_code error;
  Paths children;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    children.push_back(it->path());
  if (error)
    failUsage("cannot read the folder '{}': {}", folder.string(), error.message());
  return children;
}

template <typename Wanted> Paths filesIn(const Paths &children, Wanted isWanted) {
  Paths files;
  std::error_code error;
  for (const fs::path &child : children)
    if (isWanted(child) && fs::is_regular_file(child, error))
      files.push_back(child);
  return files;
}

/// The folders of one fuzzer, or of several that share a folder.
Paths crashFolders(const Paths &children) {
  Paths found;
  std::error_code error;
  for (const fs::path &child : children) {
    if (isCrashFolder(child)) {
      found.push_back(child);
      continue;
    }
    if (!fs::is_directory(child, error))
      continue;
    for (fs::directory_iterator it(child, error), end; !error && it != end; it.increment(error))
      if (isCrashFolder(it->path()))
        found.push_back(it->path());
  }
  return found;
}

Paths inputsOf(const fs::path &folder) {
  Paths children = childrenOf(folder);
  Paths files;
  Paths folders = crashFolders(children);
  for (const fs::path &crashes : folders)
    for (fs::path &file : filesIn(childrenOf(crashes), isFromAfl))
      files.push_back(std::move(file));
  if (!folders.empty())
    return files;
  for (auto *isWanted : {isFromAfl, isFromLibFuzzer})
    if (files = filesIn(children, isWanted); !files.empty())
      return files;
  return filesIn(children, isPlain);
}

} // namespace

Paths findInputs(const std::vector<std::string> &folders) {
  Paths inputs;
  std::set<fs::path> seen;
  for (const std::string &folder : folders) {
    std::error_code error;
    fs::file_status status = fs::status(folder, error);
    if (!fs::exists(status))
      failUsage("there is no folder '{}'", folder);
    if (!fs::is_directory(status) && !fs::is_regular_file(status))
      failUsage("'{}' is neither a folder nor a regular file", folder);
    Paths found = fs::is_directory(status) ? inputsOf(folder) : Paths{folder};
    std::sort(found.begin(), found.end());
    for (fs::path &file : found)
      if (seen.insert(fs::weakly_canonical(file, error)).second)
        inputs.push_back(std::move(file));
  }
  if (inputs.empty())
    failUsage("there are no inputs in '{}'; expected files, or the folders of AFL++ "
              "(crashes/id:...) or libFuzzer (crash-...)",
              fmt::join(folders, "', '"));
  return inputs;
}

} // namespace culprit
