// See frame_work.h.
#include "compiler/layout/frame_work.h"

#include "abi/frame_work.h"

#include <algorithm>

namespace culprit {
namespace {

template <typename T> void append(std::string &out, const T *rows, size_t count) {
  out.append(reinterpret_cast<const char *>(rows), count * sizeof(T));
}

size_t returnSlotOf(const FrameShape &shape) {
  auto slot = std::find_if(shape.members.begin(), shape.members.end(),
                           [](const FrameMember &m) { return m.kind == MemberKind::ReturnSlot; });
  return static_cast<size_t>(slot - shape.members.begin());
}

} // namespace

std::string frameWorkOf(const Catalog &catalog, const Layout &layout) {
  std::vector<abi::FrameWork> frames;
  std::vector<abi::GuardWork> guards;
  for (size_t i = 0; i < catalog.modules().size(); ++i) {
    const CatalogModule &module = catalog.modules()[i];
    ModulePlacement placement = catalog.placeFrames(layout, i);
    for (size_t k = 0; k < placement.size(); ++k) {
      size_t slot = returnSlotOf(module.table.frames[k]);
      frames.push_back({frameKey(module.id, k), placement[k].size, placement[k].offsets[slot],
                        static_cast<uint32_t>(guards.size()),
                        static_cast<uint32_t>(placement[k].guards.size())});
      for (const FrameGuard &guard : placement[k].guards)
        guards.push_back({guard.offset, guard.size});
    }
  }
  std::sort(frames.begin(), frames.end(), [](const abi::FrameWork &a, const abi::FrameWork &b) {
    return a.function < b.function;
  });
  abi::FrameWorkHeader header{abi::kFrameWorkMagic, frames.size(), guards.size(),
                              layout.guard,         layout.front,  layout.room};
  std::string out;
  append(out, &header, 1);
  append(out, frames.data(), frames.size());
  append(out, guards.data(), guards.size());
  return out;
}

} // namespace culprit
