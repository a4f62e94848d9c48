// A program read back out of its executable: modules, link command, foreign parts.
//
// An *image* is one linked file (the executable or a shared library) that carries entries in
// section `.culprit.bc` (abi/embed.h): the bitcode of its modules in link order, and last the
// record of the link itself. A *program* is the executable with the culprit-built shared libraries
// that it needs. Everything that has no bitcode is *foreign*: named, and left as it was.
#ifndef CULPRIT_COMPILER_LOADER_PROGRAM_H
#define CULPRIT_COMPILER_LOADER_PROGRAM_H

#include "abi/embed.h"
#include "compiler/loader/dynamic.h"
#include "support/files.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// One self-delimiting entry; `stored` points into the mapped image.
struct Entry {
  abi::EntryHeader header;
  std::string id; ///< hex
  std::string_view stored;

  abi::EntryKind kind() const { return static_cast<abi::EntryKind>(header.kind); }
};

struct ArchiveMember {
  std::string name;
  std::vector<std::string> entries; ///< ids; empty: a foreign member
};

/// One input file of a link, as docs/FORMATS.md defines it.
struct LinkInput {
  size_t arg = 0;
  std::string kind;
  std::string path;
  std::string hash;
  bool temporary = false;
  std::string bytes; ///< decoded; only of temporary foreign objects
  std::vector<std::string> entries;
  std::vector<ArchiveMember> members;

  bool isForeign() const { return entries.empty() && members.empty(); }
};

struct LinkRecord {
  std::string output; ///< executable, shared or relocatable
  std::string linker;
  std::vector<std::string> argv;
  std::vector<LinkInput> inputs;

  /// --gc-sections: files of which nothing is used leave no bitcode behind.
  bool dropsUnused() const;
};

/// What a Foreign mark says: compiled by culprit-cc, but kept out of analysis.
struct ForeignMark {
  std::string source;
  std::string reason;
};

struct Image {
  std::filesystem::path path; ///< absolute
  std::string name;           ///< soname, or file name
  std::unique_ptr<MappedFile> file;
  std::vector<Entry> entries;
  std::optional<LinkRecord> link;
  std::map<std::string, LinkRecord> relocatables; ///< by entry id: `ld -r` outputs inside
  std::vector<ForeignMark> marks;
  uint16_t type = 0;          ///< e_type of the file
  bool startsThreads = false; ///< refers to a function that starts threads
  DynamicInfo dynamic;

  std::vector<const Entry *> modules() const;
  bool isDynamic() const { return !dynamic.interpreter.empty(); }
  /// The folder that the dynamic loader puts for $ORIGIN: of an executable, where the file really
  /// is; of a library, where it was found.
  std::filesystem::path origin() const;
};

struct Program {
  Image executable;
  std::vector<Image> libraries; ///< culprit-built, in load order
  std::vector<std::filesystem::path> foreignLibraries;

  std::vector<const Image *> images() const;
};

/// Reads the image at `path`. Throws Failure when it is no x86-64 ELF file or an entry is damaged;
/// an image without any entry is returned with `entries` empty.
Image loadImage(const std::filesystem::path &path);

/// Reads an executable and the culprit-built libraries that it needs. Throws Failure as loadImage
/// does, and when the executable has no bitcode, is no executable, or a library is missing.
Program loadProgram(const std::filesystem::path &path);

/// The uncompressed payload. Throws Failure when it does not match the entry's id.
std::string payloadOf(const Image &image, const Entry &entry);

/// Finds `name` as the shell would: a path, or a file in PATH.
std::filesystem::path findProgram(const std::string &name);

} // namespace culprit
#endif
