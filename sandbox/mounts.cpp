// See mounts.h; proc(5) describes the text.
#include "sandbox/mounts.h"

#include <sstream>

namespace culprit {
namespace {

/// Undoes the octal escapes of blanks and backslashes.
std::string unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 3 >= text.size()) {
      out += text[i];
      continue;
    }
    int code = 0;
    for (size_t digit = 1; digit <= 3; ++digit)
      code = code * 8 + (text[i + digit] - '0');
    out += static_cast<char>(code);
    i += 3;
  }
  return out;
}

bool hasWord(const std::string &options, const std::string &word) {
  return ("," + options + ",").find("," + word + ",") != std::string::npos;
}

} // namespace

Mounts::Mounts(std::string_view mountInfo) {
  std::istringstream lines{std::string(mountInfo)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string id;
    std::string parent;
    std::string device;
    std::string root;
    std::string point;
    std::string options;
    if (!(words >> id >> parent >> device >> root >> point >> options))
      continue;
    point = unescape(point);
    points_[point == "/" ? "" : point] = {hasWord(options, "ro"), hasWord(options, "noexec")};
  }
}

bool Mounts::hasBelow(const std::string &path) const {
  auto next = points_.lower_bound(path + "/");
  return next != points_.end() && next->first.starts_with(path + "/");
}

Mounts::Flags Mounts::at(std::string path) const {
  for (;;) {
    if (auto found = points_.find(path); found != points_.end())
      return found->second;
    if (path.empty())
      return {};
    path.resize(path.rfind('/'));
  }
}

} // namespace culprit
