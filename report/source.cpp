// See source.h.
#include "report/source.h"

#include <filesystem>
#include <fstream>

namespace culprit {

std::vector<std::string> sourceLines(const std::string &file, const std::string &directory) {
  std::vector<std::string> lines;
  for (const std::filesystem::path &path :
       {std::filesystem::path(directory) / file, std::filesystem::path(file)}) {
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);)
      lines.push_back(line);
    if (!lines.empty())
      break;
  }
  return lines;
}

} // namespace culprit
