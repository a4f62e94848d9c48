// What a twin keeps in memory, as data: its globals and the frames of its functions.
//
// Made with the twin, kept beside it in the cache; read when a layout is made or an address is to
// be named.
#ifndef CULPRIT_COMPILER_MEMORY_MEMORY_TABLE_H
#define CULPRIT_COMPILER_MEMORY_MEMORY_TABLE_H

#include "compiler/memory/frame_table.h"

#include <string_view>

namespace culprit {

struct GlobalShape {
  std::string symbol;
  std::string file;     ///< the module's source
  std::string section;  ///< its very own
  bool isLocal = false; ///< the symbol is known in its module only
  bool isBuffer = false;

  bool isThreadLocal() const { return section.starts_with(".t"); }
  bool isZero() const { return section.starts_with(".bss") || section.starts_with(".tbss"); }
};

struct MemoryTable {
  FrameTable frames;
  std::vector<GlobalShape> globals;

  std::string serialise() const;
  /// Throws Failure (internal) when `bytes` is not what serialise() made.
  static MemoryTable parse(std::string_view bytes);
};

} // namespace culprit
#endif
