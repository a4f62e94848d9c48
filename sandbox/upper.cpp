// See upper.h. The files outside are what was there before: nothing that ran has changed them.
#include "sandbox/upper.h"

#include "sandbox/compare.h"
#include "sandbox/root.h"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <sys/xattr.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

std::set<std::string> namesIn(int folder) {
  std::set<std::string> names;
  UniqueFd again(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR *list = fdopendir(again.get());
  if (!list)
    return names;
  again.release();
  while (const dirent *entry = readdir(list))
    names.insert(entry->d_name);
  closedir(list);
  names.erase(".");
  names.erase("..");
  return names;
}

std::set<std::string> namesIn(const std::string &path) {
  UniqueFd folder(open(path.empty() ? "/" : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return namesIn(folder.get());
}

bool isWhiteout(const struct stat &facts) {
  return S_ISCHR(facts.st_mode) && facts.st_rdev == 0;
}

bool isOpaque(int folder) {
  char value = 0;
  return fgetxattr(folder, "user.overlay.opaque", &value, 1) == 1 && value == 'y';
}

class Reader {
public:
  void readOverlay(int folder, const std::string &path, bool hidesLower) {
    std::set<std::string> names = namesIn(folder);
    for (const std::string &name : names)
      readEntry(folder, name, path, hidesLower);
    if (hidesLower)
      for (const std::string &name : namesIn(path))
        if (!names.contains(name))
          addDeleted(path + "/" + name);
  }

  /// A folder that was built anew holds everything, and its folders are places of their own.
  void readBuilt(int folder, const std::string &path) {
    std::set<std::string> now = namesIn(folder);
    std::set<std::string> before = namesIn(path);
    for (const std::string &name : before) {
      struct stat facts = {};
      std::string outside = path + "/" + name;
      if (!now.contains(name) && lstat(outside.c_str(), &facts) == 0 && isBuilt(facts))
        addDeleted(outside);
    }
    for (const std::string &name : now) {
      struct stat facts = {};
      if (path.empty() && (name == "dev" || name == "proc" || name == "sys"))
        continue;
      bool isFolder =
          fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
      if (!isFolder || !before.contains(name))
        readEntry(folder, name, path, false);
    }
  }

  std::vector<FileChange> changes;

private:
  static bool isBuilt(const struct stat &facts) {
    return fileType(facts.st_mode) != FileType::Other || S_ISFIFO(facts.st_mode);
  }

  void addDeleted(const std::string &path) {
    struct stat facts = {};
    if (lstat(path.c_str(), &facts) == 0)
      changes.push_back({path, ChangeKind::Deleted, fileType(facts.st_mode), sizeOf(facts)});
  }

  static uint64_t sizeOf(const struct stat &facts) {
    return S_ISDIR(facts.st_mode) ? 0 : static_cast<uint64_t>(facts.st_size);
  }

  void readEntry(int folder, const std::string &name, const std::string &parent, bool hidesLower) {
    std::string path = parent + "/" + name;
    struct stat now = {};
    struct stat before = {};
    if (fstatat(folder, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0)
      return;
    if (isWhiteout(now)) {
      addDeleted(path);
      return;
    }
    bool wasThere = lstat(path.c_str(), &before) == 0;
    FileChange change{path, ChangeKind::Created, fileType(now.st_mode), sizeOf(now)};
    if (!wasThere || (before.st_mode & S_IFMT) != (now.st_mode & S_IFMT))
      changes.push_back(change);
    else if (!hasSameContents(folder, name, path, now, before))
      changes.push_back((change.kind = ChangeKind::Modified, change));
    else if (!hasSameAttributes(now, before))
      changes.push_back((change.kind = ChangeKind::Attributes, change));
    if (!S_ISDIR(now.st_mode))
      return;
    UniqueFd inside(openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (inside.isOpen())
      readOverlay(inside.get(), path, wasThere && (hidesLower || isOpaque(inside.get())));
  }
};

} // namespace

std::vector<FileChange> upperChanges(int memory) {
  Reader reader;
  for (const Place &place : readPlaces(memory)) {
    UniqueFd folder(
        openat(memory, place.upper.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.isOpen())
      continue;
    if (place.isOverlay)
      reader.readOverlay(folder.get(), place.path, false);
    else
      reader.readBuilt(folder.get(), place.path);
  }
  std::sort(reader.changes.begin(), reader.changes.end(),
            [](const FileChange &a, const FileChange &b) { return a.path < b.path; });
  return std::move(reader.changes);
}

UniqueFd openUpper(int memory, const std::string &path) {
  Place best;
  bool isFound = false;
  for (const Place &place : readPlaces(memory))
    if (path.starts_with(place.path + "/") && (!isFound || place.path.size() >= best.path.size())) {
      best = place;
      isFound = true;
    }
  if (!isFound)
    return {};
  std::string file = best.upper + path.substr(best.path.size());
  return UniqueFd(openat(memory, file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

} // namespace culprit
