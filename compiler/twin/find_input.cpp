// See find_input.h.
#include "compiler/twin/find_input.h"

#include "support/diagnostics.h"
#include "support/files.h"
#include "support/hash.h"

#include <llvm/Support/BLAKE3.h>

namespace culprit {
namespace fs = std::filesystem;

namespace {

void addWithParents(std::vector<fs::path> &folders, fs::path folder) {
  for (; folder.has_relative_path(); folder = folder.parent_path())
    folders.push_back(folder);
  folders.push_back(folder);
}

bool hasContent(const fs::path &path, const std::string &hash) {
  MappedFile file(path);
  auto digest = llvm::BLAKE3::hash<16>(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(file.bytes().data()), file.bytes().size()));
  return toHex(digest.data(), digest.size()) == hash;
}

} // namespace

InputFinder::InputFinder(const Program &, const Image &image) : image_(image.path) {
  addWithParents(folders_, image.path.parent_path());
  addWithParents(folders_, fs::weakly_canonical(image.path).parent_path());
  addWithParents(folders_, fs::current_path());
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
