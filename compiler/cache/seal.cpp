// See seal.h. The hash is fast rather than hard to forge: it is against accidents.
#include "compiler/cache/seal.h"

#include "support/diagnostics.h"
#include "support/files.h"
#include "support/hash.h"

#include <algorithm>
#include <cstring>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/xxhash.h>
#include <vector>

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMark = "\x7f"
                                   "SEALED1";
constexpr char kListName[] = "seals";
constexpr char kEnd = 0; ///< of a name, which can hold all other characters

llvm::ArrayRef<uint8_t> asBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

std::string sealAsText(const fs::path &file, const std::string &name) {
  std::string seal = sealOf(name, MappedFile(file).bytes());
  return toHex(reinterpret_cast<const uint8_t *>(seal.data()), seal.size());
}

} // namespace

std::string sealOf(std::string_view name, std::string_view content) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(asBytes(content));
  uint64_t words[2] = {hash.low64 ^ llvm::xxh3_64bits(asBytes(name)), hash.high64};
  std::string seal(kMark);
  seal.append(reinterpret_cast<const char *>(words), sizeof words);
  return seal;
}

std::string_view withoutSeal(std::string_view bytes) {
  return bytes.substr(0, bytes.size() - std::min(bytes.size(), kSealSize));
}

bool isSealed(std::string_view name, std::string_view bytes) {
  return bytes.size() >= kSealSize &&
         bytes.substr(bytes.size() - kSealSize) == sealOf(name, withoutSeal(bytes));
}

void sealFolder(const fs::path &folder) {
  std::vector<std::string> names;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      names.push_back(entry.path().lexically_relative(folder).string());
  std::sort(names.begin(), names.end());
  std::string list;
  for (const std::string &name : names)
    list += sealAsText(folder / name, name) + " " + name + kEnd;
  list += sealOf(kListName, list);
  replaceFile(folder / kListName, (folder / "seals.XXXXXX").string(), list);
}

bool isFolderSealed(const fs::path &folder) {
  try {
    std::string list = readFile(folder / kListName);
    if (!isSealed(kListName, list))
      return false;
    std::string_view rest = withoutSeal(list);
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find(kEnd));
      rest.remove_prefix(line.size() + 1);
      std::string name(line.substr(2 * kSealSize + 1));
      if (sealAsText(folder / name, name) != line.substr(0, 2 * kSealSize))
        return false;
    }
    return true;
  } catch (const Failure &) {
    return false; // a file is gone
  }
}

} // namespace culprit
