// The little of ELF and ar that the linker shim needs: find one section, walk the members of an
// archive, write an object of one section.
//
// LLVM's object library would do it, and would bring twenty megabytes of readers for other formats
// into a program that runs at every link. Damaged files give empty answers: the linker that follows
// is the one to complain.
#ifndef CULPRIT_COMPILER_WRAPPER_ELF_H
#define CULPRIT_COMPILER_WRAPPER_ELF_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace culprit {

enum class FileKind { Object, Shared, Archive, ThinArchive, Bitcode, Other };

FileKind classify(llvm::StringRef bytes);

/// Contents of the sections called `name` of a 64-bit little-endian ELF file. `ld -r` leaves more
/// than one where their flags differ.
std::vector<llvm::StringRef> elfSections(llvm::StringRef bytes, llvm::StringRef name);

struct ArchiveMember {
  std::string name;
  llvm::StringRef bytes; ///< empty in a thin archive, where `name` is a file beside the archive
};

/// Members in order, without symbol and name tables.
std::vector<ArchiveMember> archiveMembers(llvm::StringRef bytes);

/// A relocatable x86-64 object with `contents` as section `.culprit.bc`. `retain` keeps the section
/// from bfd's --gc-sections, which drops what no code of the same file needs. Without it the
/// section is like the plugin's, and `ld -r` joins them.
std::string objectWithEntries(llvm::StringRef contents, bool retain);

} // namespace culprit
#endif
