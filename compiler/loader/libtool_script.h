// The scripts that libtool leaves in a build folder in the place of a program that uses the build's
// own shared libraries: they say where these are and start the program in `.libs`.
#ifndef CULPRIT_COMPILER_LOADER_LIBTOOL_SCRIPT_H
#define CULPRIT_COMPILER_LOADER_LIBTOOL_SCRIPT_H

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace culprit {

struct LibtoolScript {
  std::string program;     ///< name of the program's file in the folder `.libs`
  std::string libraryPath; ///< what goes in front of LD_LIBRARY_PATH; empty for nothing
};

/// What the script of this text would do, read and not run: looking at a file must not run what it
/// likes. Nothing if libtool has not written it.
std::optional<LibtoolScript> parseLibtoolScript(std::string_view text);

/// The program that `name` stands for: that of the script which is found under this name, with
/// LD_LIBRARY_PATH of this process set as the script would, or `name` itself. Throws Failure when
/// there is no such file, or the script has to be run once before it has a program.
std::string throughLibtoolScript(const std::string &name);

} // namespace culprit
#endif
