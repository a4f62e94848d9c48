// The decisions behind culprit-cc. See arguments.h.
#include "compiler/wrapper/arguments.h"
#include "compiler/wrapper/linker_path.h"
#include "clang/Driver/Options.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace clang::driver;

namespace culprit {
namespace {

/// Options with which clang answers a question, or stops before there is code.
constexpr unsigned kQueries[] = {
    options::OPT__HASH_HASH_HASH,
    options::OPT__version,
    options::OPT_help,
    options::OPT__help_hidden,
    options::OPT_dumpmachine,
    options::OPT_dumpversion,
    options::OPT_dumpspecs,
    options::OPT_print_diagnostic_options,
    options::OPT_print_effective_triple,
    options::OPT_print_file_name_EQ,
    options::OPT_print_libgcc_file_name,
    options::OPT_print_multi_directory,
    options::OPT_print_multi_lib,
    options::OPT_print_multi_flags,
    options::OPT_print_multi_os_directory,
    options::OPT_print_prog_name_EQ,
    options::OPT_print_resource_dir,
    options::OPT_print_rocm_search_dirs,
    options::OPT_print_runtime_dir,
    options::OPT_print_search_dirs,
    options::OPT_print_supported_cpus,
    options::OPT_print_supported_extensions,
    options::OPT_print_target_triple,
    options::OPT_print_targets,
    options::OPT_ccc_print_phases,
    options::OPT_ccc_print_bindings,
    options::OPT_E,
    options::OPT_M,
    options::OPT_MM,
    options::OPT_fsyntax_only,
    options::OPT__analyze,
    options::OPT_verify_pch,
};

/// Options that stop before linking.
constexpr unsigned kNoLink[] = {options::OPT_c, options::OPT_S, options::OPT__precompile,
                                options::OPT_emit_ast};

/// Options that bring something to work on.
constexpr unsigned kInputs[] = {options::OPT_INPUT, options::OPT_l, options::OPT_Wl_COMMA,
                                options::OPT_Xlinker, options::OPT__DASH_DASH};

/// Sanitizers that bring a memory model or a calling convention of their own.
constexpr StringLiteral kForeignSanitizers[] = {
    "address",     "kernel-address", "hwaddress", "kernel-hwaddress", "thread",
    "memory",      "kernel-memory",  "dataflow",  "memtag",           "memtag-stack",
    "memtag-heap", "memtag-globals", "numerical", "safe-stack",       "shadow-call-stack",
    "cfi",         "kcfi",
};

bool has(const opt::InputArgList &args, ArrayRef<unsigned> ids) {
  return any_of(ids, [&](unsigned id) { return args.hasArg(id); });
}

bool targetsUs(const opt::InputArgList &args, const Paths &paths) {
  const opt::Arg *width =
      args.getLastArg(options::OPT_m32, options::OPT_m64, options::OPT_mx32, options::OPT_m16);
  if (width && !width->getOption().matches(options::OPT_m64))
    return false;
  StringRef triple = args.getLastArgValue(options::OPT_target, paths.triple);
  return (triple.starts_with("x86_64-") || triple.starts_with("amd64-")) &&
         triple.contains("linux") && !triple.contains("x32");
}

/// Debug info as the user's last option leaves it: less than full, or silent on the matter.
bool asksForLessDebugInfo(const opt::InputArgList &args) {
  const opt::Arg *arg = args.getLastArg(options::OPT_g_Group);
  if (!arg)
    return false;
  unsigned ids[] = {options::OPT_g0,
                    options::OPT_g1,
                    options::OPT_ggdb0,
                    options::OPT_ggdb1,
                    options::OPT_gline_tables_only,
                    options::OPT_gline_directives_only};
  return any_of(ids, [&](unsigned id) { return arg->getOption().matches(id); });
}

/// `-fsanitize=...` for the first sanitizer in force that makes the files foreign, or empty.
std::string foreignSanitizer(const opt::InputArgList &args) {
  std::set<std::string> active;
  for (const opt::Arg *arg :
       args.filtered(options::OPT_fsanitize_EQ, options::OPT_fno_sanitize_EQ)) {
    bool on = arg->getOption().matches(options::OPT_fsanitize_EQ);
    for (const char *value : arg->getValues()) {
      if (on)
        active.insert(value);
      else if (StringRef(value) == "all")
        active.clear();
      else
        active.erase(value);
    }
  }
  for (const std::string &name : active)
    if (is_contained(kForeignSanitizers, StringRef(name)) || StringRef(name).starts_with("cfi-"))
      return "-fsanitize=" + name;
  return "";
}

/// OLD=NEW of all prefix maps, one a line, in their order.
std::string prefixMaps(const opt::InputArgList &args) {
  std::string maps;
  for (const opt::Arg *arg :
       args.filtered(options::OPT_ffile_prefix_map_EQ, options::OPT_fdebug_prefix_map_EQ))
    maps += std::string(arg->getValue()) + "\n";
  return maps;
}

/// What is added before and after the user's arguments.
struct Additions {
  std::vector<std::string> first;
  std::vector<std::string> last;
};

void addLinker(const opt::InputArgList &args, const Paths &paths, Additions &additions,
               Command &command) {
  LinkerChoice linker = chooseLinker(args, paths);
  if (linker.path.empty())
    return;
  std::string shim = paths.libexec + "/ld";
  if (linker.flavourIsPath)
    additions.last.push_back("-fuse-ld=" + shim);
  else if (args.hasArg(options::OPT_ld_path_EQ))
    additions.last.push_back("--ld-path=" + shim);
  else
    additions.first.push_back("--ld-path=" + shim);
  command.environment.emplace_back("CULPRIT_LD", linker.path);
  if (std::string maps = prefixMaps(args); !maps.empty())
    command.environment.emplace_back("CULPRIT_PREFIX_MAP", maps);
}

std::vector<std::string> withoutUnusedWarnings(std::vector<std::string> options) {
  if (options.empty())
    return options;
  options.insert(options.begin(), "--start-no-unused-arguments");
  options.push_back("--end-no-unused-arguments");
  return options;
}

/// Ours around the user's. Nothing after `--` is an option any more.
void assemble(const Additions &additions, const std::vector<std::string> &user, Command &command) {
  auto append = [&](const auto &begin, const auto &end) {
    command.argv.insert(command.argv.end(), begin, end);
  };
  auto first = withoutUnusedWarnings(additions.first);
  auto last = withoutUnusedWarnings(additions.last);
  auto dashes = std::find(user.begin(), user.end(), "--");
  append(first.begin(), first.end());
  append(user.begin(), dashes);
  append(last.begin(), last.end());
  append(dashes, user.end());
}

} // namespace

Mode modeFromName(const std::string &argv0) {
  return StringRef(argv0).ends_with("c++") ? Mode::Cxx : Mode::C;
}

Command clangCommand(Mode mode, const std::vector<std::string> &arguments, const Paths &paths) {
  Command command;
  command.argv.push_back(mode == Mode::Cxx ? paths.clangxx : paths.clang);

  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *, 64> expanded;
  for (const std::string &argument : arguments)
    expanded.push_back(argument.c_str());
  bool isTool = !arguments.empty() && StringRef(arguments[0]).starts_with("-cc1");
  if (!isTool)
    cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, expanded);

  unsigned missingIndex, missingCount;
  opt::InputArgList args = getDriverOptTable().ParseArgs(expanded, missingIndex, missingCount,
                                                         opt::Visibility(options::ClangOption));
  if (isTool || missingCount || has(args, kQueries) || !has(args, kInputs) ||
      !targetsUs(args, paths)) {
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    return command;
  }

  Additions additions;
  (asksForLessDebugInfo(args) ? additions.last : additions.first).push_back("-g");
  additions.first.push_back("-fpass-plugin=" + paths.libexec + "/libculprit-embed.so");
  if (std::string reason = foreignSanitizer(args); !reason.empty())
    command.environment.emplace_back("CULPRIT_FOREIGN", reason);
  if (!has(args, kNoLink))
    addLinker(args, paths, additions, command);
  assemble(additions, arguments, command);
  return command;
}

} // namespace culprit
