// See change.h.
#include "sandbox/change.h"

#include "sandbox/options.h"

#include <sys/stat.h>

namespace culprit {

const char *wayName(SandboxWay way) {
  switch (way) {
  case SandboxWay::Automatic:
    return "automatic";
  case SandboxWay::Namespace:
    return "namespace";
  case SandboxWay::Notify:
    return "notify";
  }
  return "";
}

const char *changeName(ChangeKind kind) {
  switch (kind) {
  case ChangeKind::Created:
    return "created";
  case ChangeKind::Modified:
    return "modified";
  case ChangeKind::Deleted:
    return "deleted";
  case ChangeKind::Attributes:
    return "attributes";
  }
  return "";
}

const char *typeName(FileType type) {
  switch (type) {
  case FileType::Regular:
    return "file";
  case FileType::Folder:
    return "folder";
  case FileType::Link:
    return "link";
  case FileType::Other:
    return "other";
  }
  return "";
}

FileType fileType(uint32_t mode) {
  if (S_ISREG(mode))
    return FileType::Regular;
  if (S_ISDIR(mode))
    return FileType::Folder;
  return S_ISLNK(mode) ? FileType::Link : FileType::Other;
}

} // namespace culprit
