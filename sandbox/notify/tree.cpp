// See tree.h.
#include "sandbox/notify/tree.h"

#include "sandbox/compare.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/mman.h>
#include <sys/sendfile.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

NodePointer fromOutside(const std::string &path) {
  auto node = std::make_shared<Node>();
  if (lstat(path.empty() ? "/" : path.c_str(), &node->facts) != 0)
    return nullptr;
  node->lower = path;
  if (node->isLink()) {
    std::error_code error;
    node->target = fs::read_symlink(path, error).string();
  }
  return node;
}

bool isLater(const timespec &a, const timespec &b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

timespec now() {
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time);
  return time;
}

std::vector<std::string> partsOf(const std::string &path) {
  std::vector<std::string> parts;
  for (size_t at = 1; at < path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

unsigned char entryType(mode_t mode) {
  return static_cast<unsigned char>(IFTODT(mode));
}

void addDeleted(const std::string &path, std::vector<FileChange> &changes) {
  NodePointer before = fromOutside(path);
  if (before)
    changes.push_back({path, ChangeKind::Deleted, fileType(before->facts.st_mode),
                       before->isFolder() ? 0 : static_cast<uint64_t>(before->facts.st_size)});
}

void compareNode(const Node &node, const std::string &path, std::vector<FileChange> &changes) {
  NodePointer before = fromOutside(path);
  struct stat facts = node.current();
  FileChange change{path, ChangeKind::Created, fileType(facts.st_mode),
                    node.isFolder() ? 0 : static_cast<uint64_t>(facts.st_size)};
  bool isOther = !before || (before->facts.st_mode & S_IFMT) != (facts.st_mode & S_IFMT) ||
                 (node.isFolder() && node.lower != path);
  bool isSame = true;
  if (!isOther && node.isLink()) {
    isSame = node.target == before->target;
  } else if (!isOther && node.isFile()) {
    UniqueFd old(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    UniqueFd moved(node.data.isOpen() ? -1 : open(node.lower.c_str(), O_RDONLY | O_CLOEXEC));
    isSame = (!node.data.isOpen() && node.lower == path) ||
             isSameData(node.data.isOpen() ? node.data.get() : moved.get(), old.get());
  }
  if (isOther)
    changes.push_back(change);
  else if (!isSame)
    changes.push_back((change.kind = ChangeKind::Modified, change));
  else if (!hasSameAttributes(facts, before->facts))
    changes.push_back((change.kind = ChangeKind::Attributes, change));
}

void collect(const Node &folder, const std::string &path, std::vector<FileChange> &changes) {
  for (const auto &[name, child] : folder.children) {
    std::string below = path + "/" + name;
    if (!child) {
      addDeleted(below, changes);
      continue;
    }
    compareNode(*child, below, changes);
    if (child->isFolder())
      collect(*child, below, changes);
  }
}

} // namespace

std::string lastPart(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/'));
}

struct stat Node::current() const {
  struct stat facts = this->facts;
  struct stat contents = {};
  if (!data.isOpen() || fstat(data.get(), &contents) != 0)
    return facts;
  facts.st_size = contents.st_size;
  facts.st_blocks = contents.st_blocks;
  if (isLater(contents.st_mtim, copied))
    facts.st_mtim = facts.st_ctim = contents.st_mtim;
  return facts;
}

FileTree::FileTree() : root_(fromOutside("")) {}

NodePointer FileTree::child(const Node &folder, const std::string &name) const {
  auto found = folder.children.find(name);
  if (found != folder.children.end())
    return found->second;
  bool hasLower = !folder.lower.empty() || &folder == root_.get();
  return hasLower ? fromOutside(folder.lower + "/" + name) : nullptr;
}

NodePointer FileTree::at(const std::string &path) const {
  NodePointer node = root_;
  for (const std::string &part : partsOf(path)) {
    node = node->isFolder() ? child(*node, part) : nullptr;
    if (!node)
      return nullptr;
  }
  return node;
}

NodePointer FileTree::keep(const std::string &path) {
  NodePointer node = root_;
  for (const std::string &part : partsOf(path)) {
    NodePointer next = node->isFolder() ? child(*node, part) : nullptr;
    if (!next)
      return nullptr;
    node->children[part] = next;
    node = next;
  }
  return node;
}

NodePointer FileTree::make(mode_t mode) {
  auto node = std::make_shared<Node>();
  node->facts.st_mode = mode;
  node->facts.st_ino = (ino_t{1} << 40) + nextInode_++;
  node->facts.st_dev = root_->facts.st_dev;
  node->facts.st_nlink = S_ISDIR(mode) ? 2 : 1;
  node->facts.st_uid = geteuid();
  node->facts.st_gid = getegid();
  node->facts.st_blksize = 4096;
  node->facts.st_atim = node->facts.st_mtim = node->facts.st_ctim = now();
  return node;
}

int FileTree::detach(const NodePointer &node, bool isEmpty, uint64_t mostBytes) {
  Node &file = *node;
  if (file.data.isOpen())
    return 0;
  UniqueFd data(memfd_create("culprit-file", MFD_CLOEXEC));
  if (!data.isOpen())
    return errno == EMFILE ? ENFILE : errno;
  if (!isEmpty && !file.lower.empty()) {
    if (mostBytes > 0 && static_cast<uint64_t>(file.facts.st_size) > mostBytes)
      return ENOSPC;
    UniqueFd from(open(file.lower.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!from.isOpen())
      return errno;
    while (sendfile(data.get(), from.get(), nullptr, 1 << 24) > 0)
      continue;
  }
  struct stat contents = {};
  fstat(data.get(), &contents);
  file.copied = contents.st_mtim;
  file.data = std::move(data);
  files_.push_back(node);
  return 0;
}

uint64_t FileTree::size() const {
  uint64_t bytes = 0;
  for (const std::weak_ptr<Node> &file : files_)
    if (NodePointer node = file.lock())
      bytes += static_cast<uint64_t>(node->current().st_blocks) * 512;
  return bytes;
}

std::vector<FolderEntry> FileTree::list(const Node &folder) const {
  std::vector<FolderEntry> entries = {{".", folder.facts.st_ino, DT_DIR}, {"..", 1, DT_DIR}};
  bool hasLower = !folder.lower.empty() || &folder == root_.get();
  DIR *outside = hasLower ? opendir(folder.lower.empty() ? "/" : folder.lower.c_str()) : nullptr;
  std::set<std::string> seen = {".", ".."};
  while (const dirent *entry = outside ? readdir(outside) : nullptr) {
    auto found = folder.children.find(entry->d_name);
    if (!seen.insert(entry->d_name).second || (found != folder.children.end() && !found->second))
      continue;
    entries.push_back({entry->d_name, entry->d_ino, entry->d_type});
    if (found != folder.children.end())
      entries.back().type = entryType(found->second->facts.st_mode);
  }
  if (outside)
    closedir(outside);
  for (const auto &[name, node] : folder.children)
    if (node && seen.insert(name).second)
      entries.push_back({name, node->facts.st_ino, entryType(node->facts.st_mode)});
  return entries;
}

std::vector<FileChange> FileTree::changes() const {
  std::vector<FileChange> changes;
  collect(*root_, "", changes);
  std::sort(changes.begin(), changes.end(),
            [](const FileChange &a, const FileChange &b) { return a.path < b.path; });
  return changes;
}

} // namespace culprit
