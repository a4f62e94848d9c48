// Sites: the numbered places of a module, and what each one is in the source.
//
// Every instruction of the pristine module (as clang emitted it, before any pass) that has a
// meaning of its own is a site. Sites are numbered by position: functions in module order, blocks
// in function order, instructions in block order. No pointer and no hash takes part, so the same
// bitcode gives the same numbers in every mode and on every machine.
//
// The table also keeps each function's control-flow graph, because a line's hit count is a matter
// of how often control *entered* the line (report/line_counts.h).
#ifndef CULPRIT_COMPILER_SITES_SITE_TABLE_H
#define CULPRIT_COMPILER_SITES_SITE_TABLE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

enum class SiteKind : uint32_t {
  Compute,
  Define, ///< store to a named local
  Load,
  Store,
  Call,
  Branch, ///< conditional branch or switch
  Jump,   ///< unconditional transfer of control
  Return,
  Declare, ///< a local; behind the sites of all functions
};
const char *nameOf(SiteKind kind);

/// One row per site; strings are indices into SiteTable::strings.
struct Site {
  uint32_t file; ///< index into SiteTable::files
  uint32_t line; ///< 0: made by the compiler, no place in the source
  uint32_t column;
  uint32_t function; ///< index into SiteTable::functions
  uint32_t block;    ///< index into SiteTable::blocks
  uint32_t variable; ///< named variable that is read or written, else the empty string
  SiteKind kind;
};

/// A source file as the compiler saw it: `name`, relative to `directory` unless absolute.
struct SiteFile {
  uint32_t name;
  uint32_t directory;
};

struct SiteFunction {
  uint32_t name;
  uint32_t file;
  uint32_t line; ///< of its head; 0: made by the compiler
  uint32_t firstSite, siteCount;
  uint32_t firstBlock, blockCount;
};

struct SiteBlock {
  uint32_t firstSite, siteCount;
  uint32_t firstEdge, edgeCount;
  uint32_t isStep; ///< only passes control on, to one successor or by the clean-ups' slot
};

struct SiteEdge {
  uint32_t from, to; ///< indices into SiteTable::blocks
  uint32_t counter;  ///< own counter of a critical edge, or kNoCounter: follows from the blocks
  uint32_t isUnwind; ///< taken when the call at the end of `from` throws
};
inline constexpr uint32_t kNoCounter = ~uint32_t{0};

struct SiteTable {
  std::vector<std::string> strings{""};
  std::vector<SiteFile> files{{0, 0}}; ///< the first: no file
  std::vector<Site> sites;
  std::vector<SiteFunction> functions;
  std::vector<SiteBlock> blocks;
  std::vector<SiteEdge> edges;
  uint32_t counterCount = 0; ///< one per block, then one per critical edge

  std::string serialise() const;
  /// Throws Failure (internal) when `bytes` is not what serialise() made.
  static SiteTable parse(std::string_view bytes);
};

} // namespace culprit
#endif
