// What a linked image says of itself: its variables by address, its code by line.
//
// Variables come from DWARF and, where there is none, from the symbol table. Addresses are those of
// the file; what is loaded elsewhere is the caller's to add (LoadedImage::base).
#ifndef CULPRIT_ANALYSIS_NAMES_DEBUG_IMAGE_H
#define CULPRIT_ANALYSIS_NAMES_DEBUG_IMAGE_H

#include "analysis/names/dwarf_types.h"

#include <filesystem>
#include <llvm/Object/ELFObjectFile.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace culprit {

/// A global, a static or a thread-local variable.
struct ImageVariable {
  uint64_t address = 0; ///< thread-locals: offset in the image's block of them
  uint64_t size = 0;
  std::string name;                 ///< as the source would write it; string literals: their text
  std::string linkName;             ///< of the symbol, where it has one
  const SourceType *type = nullptr; ///< null: only the symbol is known
  bool hasLostScope = false; ///< static of a function that DWARF does not name; the symbol may
};

/// A place in the source that a code address stands for.
struct SourcePlace {
  std::string function; ///< linkage name
  std::string file;     ///< as the compiler saw it
  unsigned line = 0, column = 0;
};

class DebugImage {
public:
  /// Throws Failure when the file cannot be read as ELF.
  explicit DebugImage(const std::filesystem::path &path);

  const std::vector<ImageVariable> &variables(); ///< by address
  const std::vector<ImageVariable> &threadLocals();
  /// The definition of a variable in this image, by the name that the linker knows it by.
  const ImageVariable *findVariable(const std::string &linkName);

  /// The places of a code address, innermost first: more than one where calls were inlined.
  std::vector<SourcePlace> placesOf(uint64_t address);
  /// The function that an address lies in, as the linker knows it; empty: none.
  std::string functionAt(uint64_t address);
  /// The data symbol that an address lies in; empty: none.
  std::string symbolAt(uint64_t address);
  /// Whether the address lies in one of the image's sections.
  bool contains(uint64_t address) const;
  /// What the file has at an address; empty when it has nothing.
  std::string_view bytesAt(uint64_t address, uint64_t size) const;

  DwarfTypes &types() { return types_; }
  std::string name() const { return path_.filename().string(); }

private:
  struct Symbol {
    uint64_t address, size;
    std::string name;
    bool isShared; ///< was local to a module with parts (compiler/twin/part_names.h)
  };

  void readVariables();
  void addFromUnit(llvm::DWARFUnit &unit);
  void addVariable(const llvm::DWARFDie &die);
  std::string nameOfLiteral(const ImageVariable &variable) const;
  void readSymbols();
  static std::string nameAt(const std::vector<Symbol> &symbols, uint64_t address);
  void addSymbols();
  void addStreams(const Symbol &streams);

  std::filesystem::path path_;
  llvm::object::OwningBinary<llvm::object::ObjectFile> file_;
  std::unique_ptr<llvm::DWARFContext> context_;
  DwarfTypes types_;
  std::vector<ImageVariable> variables_, threadLocals_;
  std::vector<Symbol> objects_, functions_;
  bool hasVariables_ = false, hasSymbols_ = false;
};

} // namespace culprit
#endif
