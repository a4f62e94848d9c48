// Finding the linker as clang does. See linker_path.h.
#include "compiler/wrapper/linker_path.h"
#include "clang/Driver/Options.h"

using namespace llvm;
using namespace clang::driver;

namespace culprit {
namespace {

/// Driver::GetProgramPath: -B and COMPILER_PATH, clang's own folders, PATH; in each the name with
/// the target in front first. Empty if there is none.
std::string findProgram(const opt::InputArgList &args, const Paths &paths, StringRef name) {
  std::string triple = args.getLastArgValue(options::OPT_target, paths.triple).str();
  std::string names[] = {triple + "-" + name.str(), name.str()};
  auto inFolder = [&](const std::string &folder) -> std::string {
    for (const std::string &candidate : names)
      if (paths.isExecutable(folder + "/" + candidate))
        return folder + "/" + candidate;
    return "";
  };
  std::vector<std::string> prefixes = args.getAllArgValues(options::OPT_B);
  prefixes.insert(prefixes.end(), paths.compilerPath.begin(), paths.compilerPath.end());
  for (const std::string &prefix : prefixes) {
    if (!paths.isFolder(prefix)) {
      if (paths.isExecutable(prefix + name.str()))
        return prefix + name.str();
    } else if (std::string found = inFolder(prefix); !found.empty()) {
      return found;
    }
  }
  for (const std::string &folder : paths.programDirs)
    if (std::string found = inFolder(folder); !found.empty())
      return found;
  for (const std::string &candidate : names)
    for (const std::string &folder : paths.searchPath)
      if (paths.isExecutable(folder + "/" + candidate))
        return folder + "/" + candidate;
  return "";
}

std::string executableOrNothing(const std::string &path, const Paths &paths) {
  return paths.isExecutable(path) ? path : "";
}

} // namespace

LinkerChoice chooseLinker(const opt::InputArgList &args, const Paths &paths) {
  if (const opt::Arg *arg = args.getLastArg(options::OPT_ld_path_EQ)) {
    StringRef path = arg->getValue();
    if (path.empty())
      return {};
    if (path.contains('/'))
      return {executableOrNothing(path.str(), paths)};
    return {findProgram(args, paths, path)};
  }
  StringRef flavour = args.getLastArgValue(options::OPT_fuse_ld_EQ);
  if (flavour.empty() || flavour == "ld")
    return {findProgram(args, paths, "ld")};
  if (flavour.starts_with("/"))
    return {executableOrNothing(flavour.str(), paths), /*flavourIsPath=*/true};
  return {findProgram(args, paths, ("ld." + flavour).str()), flavour.contains('/')};
}

} // namespace culprit
