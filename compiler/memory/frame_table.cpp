// See frame_table.h.
#include "compiler/memory/frame_table.h"

#include <fmt/format.h>
#include <llvm/Support/MathExtras.h>
#include <numeric>

namespace culprit {
uint64_t frameKey(const std::string &moduleId, size_t shape) {
  constexpr size_t kDigits = 10; // 40 bits of the module's id, 24 of the function's number
  uint64_t module = moduleId.empty() ? 0 : std::stoull(moduleId.substr(0, kDigits), nullptr, 16);
  return module << 24 | (shape + 2); // 1 is abi::kBlockNote
}

std::string offsetSymbol(size_t shape, size_t member) {
  return fmt::format("{}{}.{}", kOffsetSymbolPrefix, shape, member);
}

std::string sizeSymbol(size_t shape) {
  return fmt::format("__culprit_size.{}", shape);
}

std::string descentSymbol(size_t shape) {
  return fmt::format("__culprit_descent.{}", shape);
}

namespace {

/// The least depth for what stands right behind a buffer, such that the buffer's alignment leaves
/// no gap between the two; `depth` if there is none.
uint64_t depthBehind(const FrameMember &buffer, const FrameMember &member, uint64_t depth) {
  if (buffer.alignment <= member.alignment || buffer.size % member.alignment != 0)
    return depth;
  return llvm::alignTo(depth + buffer.size, buffer.alignment) - buffer.size;
}

bool isGuardable(const FrameMember &member) {
  return member.isBuffer && member.kind != MemberKind::Gap;
}

} // namespace

FramePlacement placeMembers(const FrameShape &shape, const std::vector<size_t> &order,
                            uint64_t guardBytes, uint64_t frontBytes) {
  std::vector<size_t> sequence(shape.members.size());
  std::iota(sequence.begin(), sequence.end(), size_t{0});
  bool isOrdered = !order.empty() && order != sequence;
  if (isOrdered)
    sequence = order;
  // Downward from the top, which is aligned for every member.
  FramePlacement placement;
  std::vector<uint64_t> depths(shape.members.size(), 0);
  uint64_t depth = 0;
  uint64_t alignment = 16;
  for (size_t i = 0; i < sequence.size(); ++i) {
    size_t index = sequence[i];
    const FrameMember &member = shape.members[index];
    alignment = std::max(alignment, member.alignment);
    uint64_t guard = 0;
    bool isBuffer = isGuardable(member);
    if (guardBytes > 0 && isBuffer) {
      // Right behind the buffer, up to what stands above it.
      uint64_t start = llvm::alignTo(depth + guardBytes + member.size, member.alignment);
      guard = start - member.size - depth;
    }
    depth = llvm::alignTo(depth + guard + member.size, member.alignment);
    // Who orders locals wants to see what a buffer runs over first.
    if (isOrdered && !isBuffer && i + 1 < sequence.size())
      if (const FrameMember &next = shape.members[sequence[i + 1]]; isGuardable(next))
        depth = depthBehind(next, member, depth);
    depths[index] = depth;
    if (guard > 0)
      placement.guards.push_back({depth - member.size, guard});
    if (frontBytes > 0 && isBuffer) {
      depth += frontBytes;
      placement.guards.push_back({depth, frontBytes});
    }
  }
  placement.size = llvm::alignTo(std::max<uint64_t>(depth, 16), alignment);
  for (uint64_t member : depths)
    placement.offsets.push_back(placement.size - member);
  for (FrameGuard &guard : placement.guards)
    guard.offset = placement.size - guard.offset;
  return placement;
}

} // namespace culprit
