// Makes the kernel start an executable at its own entry instead of in the dynamic loader, which
// runtime/entry.cpp then starts itself.
#ifndef CULPRIT_COMPILER_TWIN_LOADER_SEGMENT_H
#define CULPRIT_COMPILER_TWIN_LOADER_SEGMENT_H

#include <filesystem>

namespace culprit {

/// Renames the program header that names the loader (abi::kLoaderSegment), in place.
void hideLoader(const std::filesystem::path &executable);

} // namespace culprit
#endif
