// See twin_archive.h.
#include "compiler/twin/twin_archive.h"

#include "support/diagnostics.h"

#include <llvm/Object/Archive.h>
#include <llvm/Object/ArchiveWriter.h>
#include <llvm/Support/MemoryBuffer.h>

namespace culprit {
namespace fs = std::filesystem;

ArchiveBuilder::ArchiveBuilder() = default;
ArchiveBuilder::~ArchiveBuilder() = default;

namespace {

std::unique_ptr<llvm::MemoryBuffer> readBuffer(const fs::path &path) {
  auto file = llvm::MemoryBuffer::getFile(path.string(), false, false);
  if (!file)
    failUsage("cannot read '{}': {}", path.string(), file.getError().message());
  return std::move(*file);
}

[[noreturn]] void failDamaged(const fs::path &path, llvm::Error error) {
  failUsage("'{}' is a damaged archive: {}", path.string(), llvm::toString(std::move(error)));
}

/// A copy of the member's bytes, or null.
std::unique_ptr<llvm::MemoryBuffer> findMember(llvm::object::Archive &archive, llvm::Error &error,
                                               const std::string &name, size_t occurrence) {
  for (const llvm::object::Archive::Child &child : archive.children(error)) {
    llvm::Expected<llvm::StringRef> childName = child.getName();
    if (!childName) {
      llvm::consumeError(childName.takeError());
      continue;
    }
    if (*childName != name || occurrence-- != 0)
      continue;
    llvm::Expected<llvm::StringRef> bytes = child.getBuffer();
    if (bytes)
      return llvm::MemoryBuffer::getMemBufferCopy(*bytes, name);
    llvm::consumeError(bytes.takeError());
    return nullptr;
  }
  return nullptr;
}

} // namespace

void ArchiveBuilder::addFile(const std::string &name, const fs::path &file) {
  members_.push_back({fs::path(name).filename().string(), readBuffer(file)});
}

void ArchiveBuilder::addBytes(const std::string &name, std::string_view bytes) {
  members_.push_back({name, llvm::MemoryBuffer::getMemBufferCopy(bytes, name)});
}

void ArchiveBuilder::addMember(const std::string &name, size_t occurrence,
                               const fs::path &original) {
  std::unique_ptr<llvm::MemoryBuffer> file = readBuffer(original);
  llvm::Error error = llvm::Error::success();
  llvm::object::Archive archive(file->getMemBufferRef(), error);
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  if (!error)
    bytes = findMember(archive, error, name, occurrence);
  if (error)
    failDamaged(original, std::move(error));
  if (!bytes)
    failUsage("'{}({})' was linked into the program and is gone; put it back or build the program "
              "again",
              original.string(), name);
  members_.push_back({fs::path(name).filename().string(), std::move(bytes)});
}

std::vector<ArchivedFile> readArchive(const fs::path &path) {
  std::unique_ptr<llvm::MemoryBuffer> file = readBuffer(path);
  llvm::Error error = llvm::Error::success();
  llvm::object::Archive archive(file->getMemBufferRef(), error);
  if (error)
    failDamaged(path, std::move(error));
  std::vector<ArchivedFile> files;
  for (const llvm::object::Archive::Child &child : archive.children(error)) {
    llvm::Expected<llvm::StringRef> name = child.getName();
    if (!name)
      failDamaged(path, name.takeError());
    llvm::Expected<llvm::StringRef> bytes = child.getBuffer();
    if (!bytes)
      failDamaged(path, bytes.takeError());
    files.push_back({name->str(), bytes->str()});
  }
  if (error)
    failDamaged(path, std::move(error));
  return files;
}

std::vector<std::string> archiveSymbols(const fs::path &path) {
  std::unique_ptr<llvm::MemoryBuffer> file = readBuffer(path);
  llvm::Error error = llvm::Error::success();
  llvm::object::Archive archive(file->getMemBufferRef(), error);
  if (error)
    failDamaged(path, std::move(error));
  std::vector<std::string> names;
  for (const llvm::object::Archive::Symbol &symbol : archive.symbols())
    names.push_back(symbol.getName().str());
  return names;
}

void ArchiveBuilder::write(const fs::path &path) const {
  std::vector<llvm::NewArchiveMember> members;
  for (const Member &member : members_)
    members.emplace_back(llvm::MemoryBufferRef(member.bytes->getBuffer(), member.name));
  if (llvm::Error error =
          llvm::writeArchive(path.string(), members, llvm::SymtabWritingMode::NormalSymtab,
                             llvm::object::Archive::K_GNU, true, false))
    failUsage("cannot write '{}': {}", path.string(), llvm::toString(std::move(error)));
}

} // namespace culprit
