// Reads programs and the libraries that they need; see program.h. Libraries are found by asking the
// dynamic loader (`ld.so --list`), which runs no code of the program.
#include "compiler/loader/program.h"

#include "support/diagnostics.h"
#include "support/process.h"

#include <cstdlib>
#include <llvm/BinaryFormat/ELF.h>
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

fs::path Image::origin() const {
  bool isLibrary = link && link->output == "shared";
  std::error_code error;
  fs::path real = isLibrary ? path : fs::canonical(path, error);
  return (error ? path : real).parent_path().lexically_normal();
}

bool LinkRecord::dropsUnused() const {
  bool drops = false;
  for (const std::string &argument : argv) {
    std::string_view word = argument;
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    if (argument.starts_with("-") && (word == "gc-sections" || word == "no-gc-sections"))
      drops = word == "gc-sections";
  }
  return drops;
}

std::vector<const Image *> Program::images() const {
  std::vector<const Image *> all{&executable};
  for (const Image &library : libraries)
    all.push_back(&library);
  return all;
}

fs::path findProgram(const std::string &name) {
  if (name.find('/') != std::string::npos) {
    std::error_code error;
    if (!fs::exists(name, error))
      failUsage("no file '{}'; expected a program built with culprit-cc", name);
    return name;
  }
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate))
      return candidate;
  }
  if (fs::exists(name))
    failUsage("no program '{}' in PATH; for the file in this folder write './{}'", name, name);
  failUsage("no program '{}' in PATH; expected a program built with culprit-cc", name);
}

namespace {

[[noreturn]] void failMissing(const fs::path &executable, const std::string &library) {
  failUsage("'{}' needs the shared library '{}', which is not found; expected it where the "
            "program's run path, LD_LIBRARY_PATH or ldconfig point",
            executable.string(), library);
}

/// One line of the loader's list: `NAME => PATH (ADDRESS)`, or `PATH (ADDRESS)` for a library that
/// the program names by path. Empty for what is no file (the kernel's own library, the loader).
fs::path libraryIn(std::string_view line, const fs::path &executable) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  size_t arrow = line.find(" => ");
  std::string_view target = arrow == std::string_view::npos ? line : line.substr(arrow + 4);
  if (target.starts_with("not found"))
    failMissing(executable, std::string(line.substr(0, arrow)));
  fs::path path = target.substr(0, target.rfind(" ("));
  bool isFile = path.has_parent_path() && !path.filename().string().starts_with("ld-linux");
  return isFile ? fs::absolute(path) : fs::path();
}

/// The loader to ask. A file may name any program as its loader, and looking at a file must not run
/// what it likes: only loaders that the system installed are used.
std::string trustedLoader(const Image &executable) {
  std::error_code error;
  std::string path = fs::weakly_canonical(executable.dynamic.interpreter, error).string();
  bool isSystem = path.starts_with("/lib") || path.starts_with("/usr/lib");
  return isSystem && access(path.c_str(), X_OK) == 0 ? executable.dynamic.interpreter
                                                     : "/lib64/ld-linux-x86-64.so.2";
}

/// The paths of all shared libraries of `executable`, in load order.
std::vector<fs::path> listLibraries(const Image &executable) {
  std::string loader = trustedLoader(executable);
  // By its real path, which is what $ORIGIN comes from when the program is started.
  fs::path real = executable.origin() / fs::weakly_canonical(executable.path).filename();
  ProcessResult result = runProcess({loader, "--list", real.string()});
  std::vector<fs::path> found;
  std::string_view rest = result.output;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with('\t'))
      if (fs::path library = libraryIn(line, executable.path); !library.empty())
        found.push_back(std::move(library));
  }
  // The loader stops at the first library that is missing.
  constexpr std::string_view kMissing = "error while loading shared libraries: ";
  if (size_t at = result.output.find(kMissing); at != std::string::npos)
    if (size_t end = result.output.find(": cannot open shared object"); end != std::string::npos)
      failMissing(executable.path,
                  result.output.substr(at + kMissing.size(), end - at - kMissing.size()));
  if (result.status != 0)
    failUsage("the dynamic loader '{}' cannot list the libraries of '{}': {}", loader,
              executable.path.string(), result.output);
  return found;
}

} // namespace

Program loadProgram(const fs::path &path) {
  Program program{.executable = loadImage(path), .libraries = {}, .foreignLibraries = {}};
  Image &main = program.executable;
  if (main.type == llvm::ELF::ET_REL || (main.link && main.link->output != "executable"))
    failUsage("'{}' is {}, not a program; expected an executable", path.string(),
              main.type == llvm::ELF::ET_REL ? "an object file" : "a shared library");
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
  if (!main.isDynamic())
    return program;
  for (const fs::path &library : listLibraries(main)) {
    Image image = loadImage(library);
    if (image.modules().empty() || !image.link)
      program.foreignLibraries.push_back(library);
    else
      program.libraries.push_back(std::move(image));
  }
  return program;
}

} // namespace culprit
