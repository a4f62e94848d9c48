// Reads programs and the libraries that they need; see program.h. Libraries are found by asking the
// program's own dynamic loader (`ld.so --list`), which runs no code of the program.
#include "compiler/loader/program.h"

#include "support/diagnostics.h"
#include "support/process.h"

#include <cstdlib>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;

std::vector<const Entry *> Image::modules() const {
  std::vector<const Entry *> found;
  for (const Entry &entry : entries)
    if (entry.kind() == abi::EntryKind::Module)
      found.push_back(&entry);
  return found;
}

std::vector<const Image *> Program::images() const {
  std::vector<const Image *> all{&executable};
  for (const Image &library : libraries)
    all.push_back(&library);
  return all;
}

fs::path findProgram(const std::string &name) {
  if (name.find('/') != std::string::npos) {
    if (!fs::exists(name))
      failUsage("no file '{}'; expected a program built with culprit-cc", name);
    return fs::absolute(name);
  }
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate))
      return fs::absolute(candidate);
  }
  if (fs::exists(name))
    failUsage("no program '{}' in PATH; for the file in this folder write './{}'", name, name);
  failUsage("no program '{}' in PATH; expected a program built with culprit-cc", name);
}

namespace {

/// The paths of all shared libraries of `executable`, in load order.
std::vector<fs::path> listLibraries(const fs::path &executable) {
  std::string output =
      runProcess({"/lib64/ld-linux-x86-64.so.2", "--list", executable.string()}).output;
  std::vector<fs::path> found;
  std::string_view rest = output;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    size_t arrow = line.find(" => ");
    if (arrow == std::string_view::npos)
      continue;
    std::string_view name = line.substr(line.find_first_not_of(" \t"));
    name = name.substr(0, name.find(" => "));
    std::string_view target = line.substr(arrow + 4);
    if (target.starts_with("not found"))
      failUsage("'{}' needs the shared library '{}', which is not found; expected it where the "
                "program's run path, LD_LIBRARY_PATH or ldconfig point",
                executable.string(), name);
    found.emplace_back(target.substr(0, target.rfind(" (")));
  }
  return found;
}

} // namespace

Program loadProgram(const fs::path &path) {
  Program program{.executable = loadImage(path), .libraries = {}, .foreignLibraries = {}};
  Image &main = program.executable;
  if (main.link && main.link->output != "executable")
    failUsage("'{}' is a {} file, not a program; expected an executable", path.string(),
              main.link->output == "shared" ? "shared library" : "relocatable object");
  if (main.modules().empty()) {
    if (!main.marks.empty())
      failUsage("'{}' has no bitcode that culprit can use: '{}' was compiled with {}; compile it "
                "without that and link again",
                path.string(), main.marks.front().source, main.marks.front().reason);
    failUsage("'{}' has no bitcode; expected a program built with culprit-cc (CC=culprit-cc "
              "CXX=culprit-c++; llvm-strip drops the bitcode, strip keeps it)",
              path.string());
  }
  if (!main.link)
    failUsage("'{}' has bitcode but no link command; expected the program to be linked by "
              "culprit-cc or culprit-c++, not by ld or another compiler",
              path.string());
  if (!main.isDynamic)
    return program;
  for (const fs::path &library : listLibraries(main.path)) {
    Image image = loadImage(library);
    if (image.modules().empty() || !image.link)
      program.foreignLibraries.push_back(library);
    else
      program.libraries.push_back(std::move(image));
  }
  return program;
}

} // namespace culprit
