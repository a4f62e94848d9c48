// Parts of the standard library's objects that have no names, in libstdc++'s layout: elements of
// std::tuple and what a std::variant holds.
#ifndef CULPRIT_ANALYSIS_NAMES_HELD_PARTS_H
#define CULPRIT_ANALYSIS_NAMES_HELD_PARTS_H

#include "analysis/names/memory_reader.h"
#include "analysis/names/source_type.h"

namespace culprit {

/// "std::get<1>(tuple)".
Subject heldPart(uint64_t index, const Subject &whole);

/// Of the class that has one element of a tuple as its member: which one.
std::optional<uint64_t> tupleIndex(const SourceType &record);

struct HeldAlternative {
  uint64_t index = 0;
  const SourceType *type = nullptr;
};

/// What the variant at `address` holds; nothing if that cannot be read, or makes no sense.
std::optional<HeldAlternative> heldAlternative(const SourceType &variant, uint64_t address,
                                               const MemoryReader &reader);

} // namespace culprit
#endif
