// What is where in a function's frame: the table that the frames of an analysis build follow.
#ifndef CULPRIT_ANALYSIS_NAMES_PLACED_FRAMES_H
#define CULPRIT_ANALYSIS_NAMES_PLACED_FRAMES_H

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

struct PlacedMember {
  std::string name; ///< empty for compiler temporaries
  uint64_t offset = 0, size = 0;
  bool isReturnSlot = false;
  unsigned line = 0; ///< of the declaration, to tell locals of one name apart; 0: not known
};

struct PlacedFrame {
  std::string function; ///< linkage name
  std::string source;   ///< file of the function, as the compiler saw it
  unsigned line = 0;
  std::vector<PlacedMember> members;
  uint64_t size = 0;
};

class PlacedFrames {
public:
  virtual ~PlacedFrames() = default;
  /// The shape of the function with that key (abi::FrameNote::function); null: not known.
  virtual const PlacedFrame *find(uint64_t functionKey) const = 0;
};

} // namespace culprit
#endif
