// Seals: how the cache knows that a file is what was once written.
#ifndef CULPRIT_COMPILER_CACHE_SEAL_H
#define CULPRIT_COMPILER_CACHE_SEAL_H

#include <filesystem>
#include <string>
#include <string_view>

namespace culprit {

/// Mark and hash; stands at the end of a sealed file.
inline constexpr size_t kSealSize = 24;

/// The seal of `content` under `name`.
std::string sealOf(std::string_view name, std::string_view content);

/// `bytes` without the seal at their end.
std::string_view withoutSeal(std::string_view bytes);

/// Whether `bytes` are sealed under `name` and as they were.
bool isSealed(std::string_view name, std::string_view bytes);

/// Writes the list of a folder's files with their seals into the folder.
void sealFolder(const std::filesystem::path &folder);

/// Whether the files of a sealed folder are as they were. Others may have come.
bool isFolderSealed(const std::filesystem::path &folder);

} // namespace culprit
#endif
