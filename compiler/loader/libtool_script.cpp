// See libtool_script.h. The form of the script is that of libtool's func_emit_wrapper.
#include "compiler/loader/libtool_script.h"

#include "compiler/loader/program.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <cstdlib>

namespace culprit {
namespace fs = std::filesystem;
namespace {

/// What follows `start` on the first line that, spaces aside, begins so.
std::optional<std::string_view> restOfLine(std::string_view text, std::string_view start) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with(start))
      return line.substr(start.size());
  }
  return {};
}

/// A word of the shell without its quotes. Variables stay as they are.
std::string unquoted(std::string_view word) {
  std::string text;
  char quote = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] == quote) {
      quote = 0;
    } else if (!quote && (word[i] == '\'' || word[i] == '"')) {
      quote = word[i];
    } else {
      if (quote != '\'' && word[i] == '\\' && i + 1 < word.size())
        ++i;
      text += word[i];
    }
  }
  return text;
}

/// The program of a script that was found as `path`.
fs::path programOf(const LibtoolScript &script, const fs::path &path) {
  fs::path program = fs::canonical(path).parent_path() / ".libs" / script.program;
  if (!fs::exists(program))
    failUsage("'{}' is a script of libtool's for '{}', which does not exist; run the script "
              "once, or build the program again",
              path.string(), program.string());
  return program;
}

void setLibraryPath(std::string libraryPath) {
  if (const char *before = std::getenv("LD_LIBRARY_PATH"))
    libraryPath += before;
  libraryPath.erase(libraryPath.find_last_not_of(':') + 1);
  setenv("LD_LIBRARY_PATH", libraryPath.c_str(), 1);
}

} // namespace

std::optional<LibtoolScript> parseLibtoolScript(std::string_view text) {
  if (!text.starts_with("#!") || !restOfLine(text, "generated_by_libtool_version="))
    return {};
  std::optional<std::string_view> program = restOfLine(text, "program=");
  if (!program)
    return {};
  LibtoolScript script{unquoted(*program), {}};
  constexpr std::string_view kRest = "$LD_LIBRARY_PATH";
  // The first such line sets the path, the second only takes colons off its end.
  std::string path = unquoted(restOfLine(text, "LD_LIBRARY_PATH=").value_or(""));
  if (path.ends_with(kRest))
    script.libraryPath = path.substr(0, path.size() - kRest.size());
  return script;
}

std::string throughLibtoolScript(const std::string &name) {
  fs::path path = findProgram(name);
  if (!fs::is_regular_file(path))
    return name;
  std::optional<LibtoolScript> script = parseLibtoolScript(MappedFile(path).bytes());
  if (!script)
    return name;
  fs::path program = programOf(*script, path);
  if (!script->libraryPath.empty())
    setLibraryPath(script->libraryPath);
  return program.string();
}

} // namespace culprit
