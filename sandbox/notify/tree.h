// The files as a program sees them that has changed some: what is outside, and over it, in memory,
// the nodes of files that were written to, made, moved or deleted. Contents are memory files.
//
// A node that nothing was done to is made from the outside each time that somebody looks, and
// forgotten. One that is to be changed becomes part of the tree, with the folders that lead to it.
#ifndef CULPRIT_SANDBOX_NOTIFY_TREE_H
#define CULPRIT_SANDBOX_NOTIFY_TREE_H

#include "sandbox/change.h"
#include "sandbox/unique_fd.h"

#include <map>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace culprit {

struct Node;
using NodePointer = std::shared_ptr<Node>;

struct Node {
  struct stat facts = {};
  std::string lower;    ///< the path outside that it has its contents from; empty: none
  std::string target;   ///< of a link
  UniqueFd data;        ///< contents of a file that is, or may be, written to
  timespec copied = {}; ///< when `data` was last changed by us: a later time is the program's
  std::map<std::string, NodePointer> children; ///< of a folder; null: deleted

  bool isFolder() const { return S_ISDIR(facts.st_mode); }
  bool isLink() const { return S_ISLNK(facts.st_mode); }
  bool isFile() const { return S_ISREG(facts.st_mode); }
  /// What stat says now.
  struct stat current() const;
};

struct FolderEntry {
  std::string name;
  uint64_t inode = 0;
  unsigned char type = 0; ///< as in dirent
};

class FileTree {
public:
  FileTree();

  const NodePointer &root() const { return root_; }
  /// The child of a folder; null if there is none.
  NodePointer child(const Node &folder, const std::string &name) const;
  /// The node at a path without links, "." and ".."; null if there is none.
  NodePointer at(const std::string &path) const;
  /// The same, as part of the tree: to be changed.
  NodePointer keep(const std::string &path);

  /// A new file, folder or link, of this user. Not yet anywhere.
  NodePointer make(mode_t mode);
  /// Gives a file contents of its own: those from outside, unless `isEmpty`. An error or 0.
  int detach(const NodePointer &file, bool isEmpty, uint64_t mostBytes);

  std::vector<FolderEntry> list(const Node &folder) const;
  std::vector<FileChange> changes() const;
  /// Bytes of all contents.
  uint64_t size() const;

private:
  NodePointer root_;
  ino_t nextInode_ = 1;
  std::vector<std::weak_ptr<Node>> files_; ///< that have contents of their own
};

/// The name of a file in its folder, and the folder: both of a path without links.
std::string lastPart(const std::string &path);
std::string folderOf(const std::string &path); ///< "" is the root

} // namespace culprit
#endif
