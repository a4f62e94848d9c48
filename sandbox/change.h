// What a sandboxed run did to files: the outside has none of it.
#ifndef CULPRIT_SANDBOX_CHANGE_H
#define CULPRIT_SANDBOX_CHANGE_H

#include <cstdint>
#include <string>

namespace culprit {

enum class ChangeKind {
  Created,    ///< was not there before
  Modified,   ///< has other contents
  Deleted,    ///< is gone; a renamed file is one deleted and one created
  Attributes, ///< mode, owner, times or extended attributes alone
};

enum class FileType { Regular, Folder, Link, Other };

struct FileChange {
  std::string path;
  ChangeKind kind = ChangeKind::Created;
  FileType type = FileType::Regular; ///< of a deleted file: what it was
  uint64_t size = 0;                 ///< bytes now; of a deleted file: before
};

const char *changeName(ChangeKind kind);
const char *typeName(FileType type);
FileType fileType(uint32_t mode);

} // namespace culprit
#endif
