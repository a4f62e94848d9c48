// From the user's command to clang's: what culprit-cc adds, and what it leaves alone.
//
// The user's arguments are passed on as they are, in their order. Ours are `-g`, the embedding
// plugin and, if the command links, our linker shim in place of the linker that clang would take.
// They come first, where the user's own options override them, except for the two that must not be
// overridden (full debug info and the shim), which come last when the user names the same option.
// Response files are read to see what is in them but passed on unread.
//
// Commands that compile nothing (queries, preprocessing, syntax checks) and targets other than
// x86-64 ELF are passed on untouched.
#ifndef CULPRIT_COMPILER_WRAPPER_ARGUMENTS_H
#define CULPRIT_COMPILER_WRAPPER_ARGUMENTS_H

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace culprit {

enum class Mode { C, Cxx };

/// Where things are on this machine.
struct Paths {
  std::string clang;                     ///< clang-19, as it is executed
  std::string clangxx;                   ///< clang++-19
  std::string libexec;                   ///< folder of the plugin and the shim
  std::string triple;                    ///< clang's default target
  std::vector<std::string> programDirs;  ///< where clang looks for programs, before PATH
  std::vector<std::string> compilerPath; ///< folders of COMPILER_PATH
  std::vector<std::string> searchPath;   ///< folders of PATH
  std::function<bool(const std::string &)> isExecutable; ///< a file that can be executed
  std::function<bool(const std::string &)> isFolder;
};

struct Command {
  std::vector<std::string> argv; ///< argv[0] is the program to execute
  std::vector<std::pair<std::string, std::string>> environment; ///< variables to set
};

/// culprit-c++ and anything else that ends so is C++.
Mode modeFromName(const std::string &argv0);

/// The command to execute for `arguments` (the user's, without the program name).
Command clangCommand(Mode mode, const std::vector<std::string> &arguments, const Paths &paths);

} // namespace culprit
#endif
