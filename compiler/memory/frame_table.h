// Frames as data: which members each function's frame has, and where a layout puts them.
//
// A twin's code does not know the offsets of its frame's members: it refers to absolute symbols,
// which are filled in when the twin is placed (compiler/twin/place.h). So another layout recompiles
// nothing. The table of shapes stands beside the twin in the cache (memory_table.h).
#ifndef CULPRIT_COMPILER_MEMORY_FRAME_TABLE_H
#define CULPRIT_COMPILER_MEMORY_FRAME_TABLE_H

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

enum class MemberKind : uint32_t {
  ReturnSlot, ///< where the return address would be
  SavedBase,  ///< where the caller's frame pointer would be; nothing is kept there
  Local,      ///< a named local
  Temporary,  ///< a local without a name
  Gap,        ///< room of a local that is not in the frame because it is safe
};

struct FrameMember {
  MemberKind kind = MemberKind::Local;
  std::string name; ///< locals only
  uint32_t line = 0;
  uint64_t size = 0;
  uint64_t alignment = 1;
  bool isBuffer = false; ///< is or holds an array
};

struct FrameShape {
  std::string function; ///< linkage name
  std::string file;
  uint32_t line = 0;
  std::vector<FrameMember> members; ///< clang -O0's order, the highest address first
};

using FrameTable = std::vector<FrameShape>;

/// What generated code notes of a frame (abi::FrameNote::function): module and function.
uint64_t frameKey(const std::string &moduleId, size_t shape);

/// Names of the absolute symbols that stand for a member's offset, for the frame's size, and for
/// the distance from an older frame down to it: the size, negative.
inline constexpr char kOffsetSymbolPrefix[] = "__culprit_at.";
std::string offsetSymbol(size_t shape, size_t member);
std::string sizeSymbol(size_t shape);
std::string descentSymbol(size_t shape);

/// Guard words behind a member, or in front of it.
struct FrameGuard {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct FramePlacement {
  std::vector<uint64_t> offsets; ///< per member, from the frame's lowest address
  uint64_t size = 0;
  std::vector<FrameGuard> guards;
};

/// Places members in `order` (indices, the highest address first; empty: the default) with
/// `guardBytes` of guard words above each buffer and `frontBytes` of them below it.
FramePlacement placeMembers(const FrameShape &shape, const std::vector<size_t> &order = {},
                            uint64_t guardBytes = 0, uint64_t frontBytes = 0);

} // namespace culprit
#endif
