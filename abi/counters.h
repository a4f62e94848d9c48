// Counters of an exact build, as generated code, runtime and host agree on them.
#ifndef CULPRIT_ABI_COUNTERS_H
#define CULPRIT_ABI_COUNTERS_H

namespace culprit::abi {

/// A module has that many arrays of counters, one behind the other: one for each of the first
/// threads, the last for all others.
inline constexpr unsigned kCountBanks = 16;

} // namespace culprit::abi
#endif
