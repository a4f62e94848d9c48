// Archives of twins in place of the program's own.
#ifndef CULPRIT_COMPILER_TWIN_TWIN_ARCHIVE_H
#define CULPRIT_COMPILER_TWIN_TWIN_ARCHIVE_H

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class MemoryBuffer;
}

namespace culprit {

/// Members in order; names may repeat.
class ArchiveBuilder {
public:
  ArchiveBuilder();
  ~ArchiveBuilder();
  /// Adds a file as a member. Throws Failure when it cannot be read.
  void addFile(const std::string &name, const std::filesystem::path &file);
  void addBytes(const std::string &name, std::string_view bytes);
  /// Adds the member that is the `occurrence`-th of its name in the archive `original`. Throws
  /// Failure when it is not there.
  void addMember(const std::string &name, size_t occurrence, const std::filesystem::path &original);
  /// Throws Failure with the system's reason.
  void write(const std::filesystem::path &path) const;

private:
  struct Member {
    std::string name;
    std::unique_ptr<llvm::MemoryBuffer> bytes;
  };
  std::vector<Member> members_;
};

struct ArchivedFile {
  std::string name;
  std::string bytes;
};

/// The members of an archive, in order. Throws Failure when it cannot be read or is damaged.
std::vector<ArchivedFile> readArchive(const std::filesystem::path &path);

/// The names that an archive's members define, by its index.
std::vector<std::string> archiveSymbols(const std::filesystem::path &path);

} // namespace culprit
#endif
