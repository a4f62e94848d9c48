// Entries of section `.culprit.bc` (abi/embed.h) as bytes and as assembler text.
//
// An entry travels in two ways: as bytes, in the object that the linker shim adds to a link, and as
// module-level assembler text, by which the plugin puts it into whatever clang makes of a module:
// object, .s file, or LLVM bitcode that becomes code only when it is linked (-flto). The text keeps
// the header in a line of its own, so that its id can be read without decoding the payload.
#ifndef CULPRIT_COMPILER_EMBED_ENTRY_H
#define CULPRIT_COMPILER_EMBED_ENTRY_H

#include "abi/embed.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace culprit {

/// Header and stored payload of one entry. The same payload gives the same bytes. Bitcode
/// (llvmMajor not 0) is packed, if it can be.
std::string makeEntry(abi::EntryKind kind, llvm::StringRef payload, uint32_t llvmMajor = 0);

/// The payload of an entry from the `storedSize` bytes after its header; nothing if they are
/// damaged, which the id tells.
std::optional<std::string> entryPayload(const abi::EntryHeader &header, llvm::StringRef stored);

/// Assembler text that puts `entry` into section `.culprit.bc` and leaves the current section as
/// it was.
std::string entryAsAssembler(llvm::StringRef entry);

/// True if `text`, the assembler text of a module, holds an entry already.
bool assemblerHasEntry(llvm::StringRef text);

/// Ids (hex) of the entries in a section's bytes, up to the first byte that is not an entry.
std::vector<std::string> entryIds(llvm::StringRef section);

/// Whether a section holds more than foreign marks: bitcode or the record of a link.
bool holdsCode(llvm::StringRef section);

/// Ids (hex) of the entries in assembler text written by entryAsAssembler.
std::vector<std::string> entryIdsInAssembler(llvm::StringRef text);

/// First 16 bytes of BLAKE3 over `bytes`, in hex: how files and entries are named.
std::string contentId(llvm::StringRef bytes);

} // namespace culprit
#endif
