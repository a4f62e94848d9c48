// See source.h.
#include "report/source.h"

#include <filesystem>
#include <fmt/format.h>
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

std::string sourceExcerpt(const std::vector<std::string> &lines, size_t line, size_t column,
                          bool hasColour) {
  if (line == 0 || line > lines.size())
    return "";
  const std::string &text = lines[line - 1];
  std::string excerpt = fmt::format("{:5} | {}\n", line, text);
  if (column == 0 || column > text.size() + 1)
    return excerpt;
  std::string blank;
  for (size_t i = 0; i + 1 < column; ++i)
    blank += text[i] == '\t' ? '\t' : ' ';
  const char *mark = hasColour ? "\033[1;32m^\033[0m" : "^";
  return excerpt + fmt::format("      | {}{}\n", blank, mark);
}

} // namespace culprit
