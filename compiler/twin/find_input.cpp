// See find_input.h.
#include "compiler/twin/find_input.h"

#include "support/diagnostics.h"
#include "support/files.h"
#include "support/hash.h"

#include <algorithm>
#include <llvm/Support/BLAKE3.h>

namespace culprit {
namespace fs = std::filesystem;

namespace {

void addWithParents(std::vector<fs::path> &folders, fs::path folder) {
  for (; folder.has_relative_path(); folder = folder.parent_path())
    folders.push_back(folder);
  folders.push_back(folder);
}

/// Folders `depth` levels below `folder`; large trees are cut off.
void addBelow(std::vector<fs::path> &folders, const fs::path &folder, int depth) {
  constexpr size_t kMost = 4096;
  if (depth == 0) {
    folders.push_back(folder);
    return;
  }
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder, error))
    if (folders.size() < kMost && entry.is_directory(error) && !entry.is_symlink(error))
      addBelow(folders, entry.path(), depth - 1);
}

/// Folders in which the link may have run: those from which the recorded name of the output leads
/// to the image. `-o ../../bin/prog` was said two levels below the folder of `bin`.
void addLinkFolders(std::vector<fs::path> &folders, const Image &image) {
  auto flag = std::find(image.link->argv.begin(), image.link->argv.end(), "-o");
  if (flag == image.link->argv.end() || flag + 1 == image.link->argv.end())
    return;
  fs::path output = fs::path(*(flag + 1)).lexically_normal();
  if (output.is_absolute())
    return;
  int up = 0;
  fs::path top = image.path;
  for (const fs::path &part : output) {
    if (part == "..")
      ++up;
    else
      top = top.parent_path();
  }
  addBelow(folders, top, up);
}

bool hasContent(const fs::path &path, const std::string &hash) {
  MappedFile file(path);
  auto digest = llvm::BLAKE3::hash<16>(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(file.bytes().data()), file.bytes().size()));
  return toHex(digest.data(), digest.size()) == hash;
}

} // namespace

InputFinder::InputFinder(const Image &image) : image_(image.path) {
  addWithParents(folders_, image.path.parent_path());
  addWithParents(folders_, fs::weakly_canonical(image.path).parent_path());
  addWithParents(folders_, fs::current_path());
  addLinkFolders(folders_, image);
  auto filesBelow = [&](const fs::path &folder) {
    size_t count = 0;
    std::error_code error;
    for (const LinkInput &input : image.link->inputs)
      if (!input.temporary && fs::path(input.path).is_relative())
        count += fs::is_regular_file(folder / input.path, error);
    return count;
  };
  // The first of the best comes first; the rest keep their order.
  std::vector<size_t> counts;
  for (const fs::path &folder : folders_)
    counts.push_back(filesBelow(folder));
  auto best = std::max_element(counts.begin(), counts.end()) - counts.begin();
  std::rotate(folders_.begin(), folders_.begin() + best, folders_.begin() + best + 1);
}

bool InputFinder::has(const std::string &path) const {
  std::error_code error;
  return std::any_of(folders_.begin(), folders_.end(), [&](const fs::path &folder) {
    return fs::is_regular_file(folder / path, error);
  });
}

fs::path InputFinder::find(const std::string &path, const std::string &hash) const {
  fs::path changed;
  for (const fs::path &folder : folders_) {
    fs::path candidate = folder / path; // an absolute path stays what it is
    std::error_code error;
    if (!fs::is_regular_file(candidate, error))
      continue;
    if (hash.empty() || hasContent(candidate, hash))
      return candidate.lexically_normal();
    if (changed.empty())
      changed = candidate.lexically_normal();
  }
  if (changed.empty())
    failUsage("'{}' was linked into '{}' and is gone; put it back or build the program again", path,
              image_.string());
  diagnose(Severity::Warning, fmt::format("'{}' has changed since '{}' was linked; the analysis "
                                          "build uses it as it is now",
                                          changed.string(), image_.string()));
  return changed;
}

} // namespace culprit
