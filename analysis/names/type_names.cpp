// See type_names.h.
#include "analysis/names/type_names.h"

#include <string_view>

namespace culprit {
namespace {

/// Default arguments of the library's templates.
constexpr std::string_view kDefaults[] = {
    ", std::allocator<", ", std::char_traits<", ", std::less<",
    ", std::hash<",      ", std::equal_to<",    ", std::default_delete<",
};

/// The end of the template arguments that begin at `start`; npos: they have none.
size_t endOfArguments(const std::string &text, size_t start) {
  unsigned depth = 1;
  for (size_t i = start; i < text.size(); ++i) {
    depth += text[i] == '<';
    depth -= text[i] == '>';
    if (depth == 0)
      return i + 1;
  }
  return std::string::npos;
}

void replaceAll(std::string &text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

} // namespace

std::string shortTypeNames(std::string text) {
  for (std::string_view argument : kDefaults)
    for (size_t at = 0; (at = text.find(argument, at)) != std::string::npos;) {
      size_t end = endOfArguments(text, at + argument.size());
      if (end == std::string::npos)
        break;
      text.erase(at, end - at);
    }
  replaceAll(text, "std::__cxx11::", "std::");
  replaceAll(text, "std::basic_string<char>", "std::string");
  return text;
}

} // namespace culprit
