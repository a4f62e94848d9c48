// What a probe tells of a site: numbers of operands (abi::ProbedOperand::number).
//
//   access        kProbedAddress the address; kProbedBase what it is computed from; kProbedIndex
//   and
//                 up the values that were added to it, and kProbedOperandPlace and up where the
//                 first of them were; kProbedWay and up the pointers that led to the base, from
//                 memory to memory, the nearest first; kProbedPlace where the base was loaded from
//   call          kProbedCallee the function, where it is no constant, and kProbedPlace where that
//                 was loaded from; kProbedArgument and up, and kProbedArgumentPlace and up where
//                 the first of them were
//   branch        kProbedIndex and up: what its condition compares; kProbedOperandWay and up the
//                 pointers that these were loaded through, without constant offsets, and
//                 kProbedOperandPlace and up where from
//   computation   the same of its operands
#ifndef CULPRIT_COMPILER_SUPPRESS_PROBES_H
#define CULPRIT_COMPILER_SUPPRESS_PROBES_H

#include <cstdint>

namespace culprit {

inline constexpr uint64_t kProbedAddress = 0;
inline constexpr uint64_t kProbedBase = 1;
inline constexpr uint64_t kProbedCallee = 2;
inline constexpr uint64_t kProbedPlace = 3;
inline constexpr uint64_t kProbedWay = 4;
inline constexpr uint64_t kProbedArgumentPlace = 8;
inline constexpr uint64_t kMostArgumentPlaces = 8;
inline constexpr uint64_t kProbedIndex = 16;
inline constexpr uint64_t kProbedOperandWay = 48;
inline constexpr uint64_t kProbedOperandPlace = 56;
inline constexpr uint64_t kMostOperandWays = 8;
inline constexpr uint64_t kProbedArgument = 64;

} // namespace culprit
#endif
