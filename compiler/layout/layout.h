// A layout: how the program's memory is arranged, as data.
//
// `culprit info --layout` prints the default one, `culprit run --layout FILE` runs with another.
// Its JSON is described in docs/FORMATS.md. Order and guard words take effect when the analysis
// build is linked; the heap's arrangement and fill patterns when it is started.
#ifndef CULPRIT_COMPILER_LAYOUT_LAYOUT_H
#define CULPRIT_COMPILER_LAYOUT_LAYOUT_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

struct HeapArrangement {
  std::string order = "up"; ///< up, down or shuffled: where fresh blocks go
  uint64_t spacing = 0;     ///< bytes left free between blocks
  uint64_t seed = 0;        ///< of a shuffled order
  bool reuse = true;        ///< freed memory is allocated again; if not, its fill must stay
  bool fence = false;       ///< freed memory is out of reach, and not allocated again
};

/// Bytes that memory holds before the program defines it; none: whatever was there.
struct FillPatterns {
  std::optional<uint8_t> fresh;         ///< heap blocks
  std::optional<uint8_t> uninitialised; ///< locals
  std::optional<uint8_t> freed;         ///< heap blocks that were given back
};

struct Layout {
  std::string program;                                       ///< the one it was made for
  std::vector<std::string> globals;                          ///< the lowest address first
  std::map<std::string, std::vector<std::string>> functions; ///< members, the lowest address first
  HeapArrangement heap;
  uint64_t guard = 0; ///< bytes of guard words behind every buffer
  uint64_t front = 0; ///< bytes of guard words in front of every global and local buffer
  uint64_t room = 0;  ///< bytes behind every global and local buffer that are nobody's
  FillPatterns fill;

  /// Whether it needs a link of its own.
  bool changesLink() const { return !globals.empty() || !functions.empty() || hasGaps(); }
  bool hasGaps() const { return gap() + front > 0; }
  /// What is between a global or local buffer and what follows it.
  uint64_t gap() const { return guard + room; }
  /// All that a link depends on.
  std::string linkIdentity() const;
};

std::string layoutAsJson(const Layout &layout);

/// Throws Failure (usage) that names the file and the key that is wrong.
Layout parseLayout(std::string_view text, const std::string &file);

} // namespace culprit
#endif
