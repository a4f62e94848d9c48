// See version_script.h. The grammar of bfd allows at most one `global:` and one `local:` in a
// version, in this order; names before any label are global.
#include "compiler/twin/version_script.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace culprit {
namespace {

/// The first place at or after `at` that is neither space nor comment.
size_t skipBlank(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (text.substr(at).starts_with("/*"))
      at = std::min(text.find("*/", at), text.size() - 2) + 2;
    else if (text[at] == '#')
      at = std::min(text.find('\n', at), text.size());
    else if (std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    else
      break;
  }
  return at;
}

/// Just behind `WORD :` if that is at `at`, else 0.
size_t behindLabel(std::string_view text, size_t at, std::string_view word) {
  if (!text.substr(at).starts_with(word))
    return 0;
  size_t colon = skipBlank(text, at + word.size());
  return colon < text.size() && text[colon] == ':' ? colon + 1 : 0;
}

} // namespace

std::string exportFromVersionScript(const std::string &script, const std::string &patterns) {
  size_t brace = skipBlank(script, 0);
  while (brace < script.size() && script[brace] != '{')
    brace = skipBlank(script, brace + 1);
  if (brace >= script.size())
    return script;
  size_t first = skipBlank(script, brace + 1);
  size_t place = behindLabel(script, first, "global");
  bool needsLabel = place == 0 && (behindLabel(script, first, "local") != 0 ||
                                   (first < script.size() && script[first] == '}'));
  if (place == 0)
    place = brace + 1;
  return script.substr(0, place) + (needsLabel ? " global: " : " ") + patterns +
         script.substr(place);
}

} // namespace culprit
