// culprit-cc and culprit-c++: drop-in compilers. One exec of clang, nothing printed, nothing left
// behind; arguments.h says what is added to the command.
#include "compiler/wrapper/arguments.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace culprit;

std::vector<std::string> splitPath(const char *list) {
  std::vector<std::string> folders;
  std::string text = list ? list : "";
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    size_t end = std::min(text.find(':', begin), text.size());
    folders.push_back(begin == end ? "." : text.substr(begin, end - begin));
    begin = end + 1;
  }
  return folders;
}

bool isFolder(const std::string &path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool isExecutable(const std::string &path) {
  return access(path.c_str(), X_OK) == 0 && !isFolder(path);
}

/// The folder of plugin and shim, relative to the real place of this program.
std::string findLibexec() {
  char self[PATH_MAX];
  ssize_t size = readlink("/proc/self/exe", self, sizeof self);
  std::string path(self, size > 0 ? size : 0);
  for (int level = 0; level < 2; ++level)
    path.resize(std::min(path.size(), path.rfind('/')));
  return path + "/libexec/culprit";
}

} // namespace

int main(int argc, char **argv) {
  Paths paths{.clang = CULPRIT_CLANG,
              .clangxx = CULPRIT_CLANGXX,
              .libexec = findLibexec(),
              .triple = CULPRIT_CLANG_TRIPLE,
              .programDirs = splitPath(CULPRIT_CLANG_PROGRAMS),
              .compilerPath = splitPath(getenv("COMPILER_PATH")),
              .searchPath = splitPath(getenv("PATH")),
              .isExecutable = isExecutable,
              .isFolder = isFolder};
  Command command = clangCommand(modeFromName(argv[0]), {argv + 1, argv + argc}, paths);
  for (const char *name : {"CULPRIT_LD", "CULPRIT_PREFIX_MAP", "CULPRIT_FOREIGN"})
    unsetenv(name);
  for (const auto &[name, value] : command.environment)
    setenv(name.c_str(), value.c_str(), /*overwrite=*/1);
  std::vector<char *> words;
  for (std::string &word : command.argv)
    words.push_back(word.data());
  words.push_back(nullptr);
  execv(words[0], words.data());
  fprintf(stderr, "culprit-cc: error: cannot execute %s: %s\n", words[0], strerror(errno));
  return 1;
}
