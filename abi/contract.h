// The contract between generated code, runtime and host: names, sections, version.
//
// abi/hooks.def lists the functions and data that generated code uses of the runtime; this file
// holds what is not a hook. Every twin refers to the symbol kVersionCheckSymbol, which only a
// runtime of the same version defines: a stale twin fails at link.
#ifndef CULPRIT_ABI_CONTRACT_H
#define CULPRIT_ABI_CONTRACT_H

#define CULPRIT_ABI_VERSION 1
#define CULPRIT_ABI_STRING_(x) #x
#define CULPRIT_ABI_STRING(x) CULPRIT_ABI_STRING_(x)
#define CULPRIT_ABI_VERSION_CHECK __culprit_version_mismatch_check_v1

namespace culprit::abi {

inline constexpr int kVersion = CULPRIT_ABI_VERSION;
/// Defined by the runtime, referred to by every twin.
inline constexpr char kVersionCheckSymbol[] = CULPRIT_ABI_STRING(CULPRIT_ABI_VERSION_CHECK);

/// Section of mode `count`'s counters, and the symbol of each module's array (prefix + module id).
inline constexpr char kCountSection[] = "culprit_counts";
inline constexpr char kCountSymbolPrefix[] = "__culprit_counts.";

/// Absolute symbol: which image of the program this is (0: the executable).
inline constexpr char kImageIndexSymbol[] = "__culprit_image_index";

/// The host's word to the runtime, taken out of the environment before any constructor runs.
/// Lines of the form key=value; see runtime/start.cpp.
inline constexpr char kStartVariable[] = "CULPRIT_START";

} // namespace culprit::abi
#endif
