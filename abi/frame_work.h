// What the runtime needs to prepare and check frames: a file that the host writes with every build
// and hands over (`frames=FILE`, runtime/start.cpp) when a layout asks for guard words, for room
// behind locals or for a pattern in uninitialised ones.
#ifndef CULPRIT_ABI_FRAME_WORK_H
#define CULPRIT_ABI_FRAME_WORK_H

#include <stdint.h>

namespace culprit::abi {

inline constexpr uint64_t kFrameWorkMagic = 0x4b52'4f57'4d52'4643;
inline constexpr unsigned char kGuardByte = 0xc9;

struct FrameWorkHeader {
  uint64_t magic;
  uint64_t frameCount; ///< rows of FrameWork follow, sorted by function
  uint64_t guardCount; ///< then rows of GuardWork
  uint64_t guard;      ///< bytes of guard words behind blocks of a variable size
  uint64_t front;      ///< and in front of them
  uint64_t room;       ///< bytes behind them that are nobody's
};

struct FrameWork {
  uint64_t function; ///< FrameNote::function
  uint64_t size;
  uint64_t returnSlot; ///< offset in the frame
  uint32_t firstGuard;
  uint32_t guardCount;
};

struct GuardWork {
  uint64_t offset;
  uint64_t size;
};

} // namespace culprit::abi
#endif
