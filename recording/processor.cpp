// See processor.h.
#include "recording/processor.h"

#include <cpuid.h>
#include <cstring>
#include <fmt/format.h>

namespace culprit {
namespace {

struct Leaf {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
};

Leaf readLeaf(unsigned number) {
  Leaf leaf;
  __get_cpuid_count(number, 0, &leaf.a, &leaf.b, &leaf.c, &leaf.d);
  return leaf;
}

} // namespace

std::string describeProcessor() {
  std::string name;
  for (unsigned number = 0x8000'0002; number <= 0x8000'0004; ++number) {
    Leaf leaf = readLeaf(number);
    name.append(reinterpret_cast<const char *>(&leaf), sizeof leaf);
  }
  name.resize(std::strlen(name.c_str()));
  Leaf family = readLeaf(1);
  Leaf features = readLeaf(7);
  constexpr unsigned kSavedState = 1U << 27; ///< the system's choice, not the processor's
  return fmt::format("{}, type {:x}, features {:x} {:x} {:x} {:x} {:x}", name, family.a,
                     family.c & ~kSavedState, family.d, features.b, features.c, features.d);
}

} // namespace culprit
