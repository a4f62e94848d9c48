// Reading a linker's command line. See link_line.h.
#include "compiler/wrapper/link_line.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include <optional>

using namespace llvm;

namespace culprit {
namespace {

/// Long options whose value may be the next word. Only those of one letter can be joined with
/// their value without `=`; they are in kLetters.
const StringSet<> &longOptionsWithValue() {
  static const StringSet<> options{"Map",
                                   "Tbss",
                                   "Tdata",
                                   "Tldata-segment",
                                   "Trodata-segment",
                                   "Ttext",
                                   "Ttext-segment",
                                   "architecture",
                                   "assert",
                                   "audit",
                                   "auxiliary",
                                   "call-graph-ordering-file",
                                   "chroot",
                                   "compress-debug-sections",
                                   "compress-sections",
                                   "dT",
                                   "default-script",
                                   "defsym",
                                   "depaudit",
                                   "dependency-file",
                                   "dwo-dir",
                                   "dynamic-linker",
                                   "dynamic-list",
                                   "entry",
                                   "error-handling-script",
                                   "exclude-libs",
                                   "exclude-modules-for-implib",
                                   "export-dynamic-symbol",
                                   "export-dynamic-symbol-list",
                                   "filter",
                                   "fini",
                                   "format",
                                   "gpsize",
                                   "hash-style",
                                   "ignore-unresolved-symbol",
                                   "image-base",
                                   "init",
                                   "just-symbols",
                                   "library",
                                   "library-path",
                                   "max-cache-size",
                                   "mllvm",
                                   "mri-script",
                                   "oformat",
                                   "opt-remarks-filename",
                                   "orphan-handling",
                                   "out-implib",
                                   "output",
                                   "package-metadata",
                                   "plugin",
                                   "plugin-opt",
                                   "remap-inputs",
                                   "remap-inputs-file",
                                   "reproduce",
                                   "require-defined",
                                   "retain-symbols-file",
                                   "rpath",
                                   "rpath-link",
                                   "script",
                                   "section-ordering-file",
                                   "section-start",
                                   "soname",
                                   "sort-section",
                                   "spare-dynamic-tags",
                                   "symbol-ordering-file",
                                   "sysroot",
                                   "thinlto-cache-dir",
                                   "trace-symbol",
                                   "undefined",
                                   "unresolved-symbols",
                                   "version-exports-section",
                                   "version-script",
                                   "warn-backrefs-exclude",
                                   "wrap"};
  return options;
}

/// Options of one letter whose value is joined or the next word.
constexpr StringLiteral kLetters = "AFGILOPRTYabcefhlmouyz";

/// Where GNU ld looks after the -L folders.
constexpr StringLiteral kBuiltinFolders[] = {"=/usr/local/lib/x86_64-linux-gnu",
                                             "=/lib/x86_64-linux-gnu",
                                             "=/usr/lib/x86_64-linux-gnu",
                                             "=/usr/local/lib64",
                                             "=/lib64",
                                             "=/usr/lib64",
                                             "=/usr/local/lib",
                                             "=/lib",
                                             "=/usr/lib"};

/// One argument taken apart: `--name=value`, `-nvalue`, or either with the value as next word.
struct Option {
  StringRef name;
  std::optional<StringRef> value;
  bool usesNextWord = false;
};

Option splitOption(StringRef word, std::optional<StringRef> next) {
  bool twoDashes = word.starts_with("--");
  StringRef body = word.drop_front(twoDashes ? 2 : 1);
  auto [name, value] = body.split('=');
  if (name.size() > 1 && name.size() != body.size() &&
      (twoDashes || longOptionsWithValue().contains(name)))
    return {name, value};
  if (longOptionsWithValue().contains(body))
    return {body, next, next.has_value()};
  if (twoDashes || !kLetters.contains(body.front()))
    return {body, std::nullopt};
  if (body.size() == 1)
    return {body, next, next.has_value()};
  return {body.take_front(1), body.drop_front(1)};
}

/// Flags of several letters that kLetters would take apart.
bool isPlainFlag(StringRef word) {
  static const StringSet<> flags{"-Bstatic",
                                 "-Bdynamic",
                                 "-Bsymbolic",
                                 "-Bsymbolic-functions",
                                 "-Bgroup",
                                 "-EL",
                                 "-EB",
                                 "-Ur",
                                 "-Qy",
                                 "-as-needed",
                                 "-allow-shlib-undefined",
                                 "-allow-multiple-definition",
                                 "-accept-unknown-input-arch",
                                 "-build-id",
                                 "-call_shared",
                                 "-cref",
                                 "-check-sections",
                                 "-emit-relocs",
                                 "-eh-frame-hdr",
                                 "-end-group",
                                 "-end-lib",
                                 "-export-dynamic",
                                 "-enable-new-dtags",
                                 "-error-unresolved-symbols",
                                 "-fatal-warnings",
                                 "-force-exe-suffix",
                                 "-omagic",
                                 "-usage",
                                 "-unique",
                                 "-help",
                                 "-print-map",
                                 "-add-needed",
                                 "-apply-dynamic-relocs"};
  return flags.contains(word.split('=').first);
}

class Parser {
public:
  Parser(const std::vector<std::string> &args,
         const std::function<bool(const std::string &)> &exists)
      : args(args), exists(exists) {}

  LinkLine run() {
    for (size_t at = 0; at < args.size(); ++at) {
      StringRef word = args[at];
      if (word.empty() || word == "-")
        continue;
      if (!word.starts_with("-")) {
        line.inputs.push_back({at, word.str()});
        continue;
      }
      size_t first = at;
      if (isPlainFlag(word) || word.starts_with("-(") || word.starts_with("-)")) {
        flag(word.drop_front(1));
        continue;
      }
      std::optional<StringRef> next;
      if (at + 1 < args.size())
        next = args[at + 1];
      Option option = splitOption(word, next);
      at += option.usesNextWord;
      if (option.value)
        valued(first, option.name, *option.value);
      else
        flag(option.name);
    }
    resolveLibraries();
    return std::move(line);
  }

private:
  struct Library {
    size_t input; ///< index into line.inputs
    std::string name;
    bool isStatic;
  };

  void valued(size_t at, StringRef name, StringRef value) {
    if (name == "l" || name == "library") {
      libraries.push_back({line.inputs.size(), value.str(), preferStatic});
      line.inputs.push_back({at, ""});
    } else if (name == "L" || name == "library-path") {
      folders.push_back(value.str());
    } else if (name == "m") {
      line.emulation = value.str();
    } else if (name == "sysroot") {
      sysroot = value.str();
    } else if (name == "b" || name == "format") {
      line.foreignFormat = value != "default" && !value.starts_with("elf");
    } else if (name == "build-id" || name == "pie") {
      flag(name);
    }
  }

  void flag(StringRef name) {
    if (name == "shared" || name == "Bshareable")
      line.output = "shared";
    else if (name == "r" || name == "relocatable" || name == "i" || name == "Ur")
      line.output = "relocatable";
    else if (name == "Bstatic" || name == "dn" || name == "non_shared" || name == "static")
      preferStatic = true;
    else if (name == "Bdynamic" || name == "dy" || name == "call_shared")
      preferStatic = false;
    else if (name == "version" || name == "help")
      line.query = true;
    else if (name == "nostdlib")
      noBuiltinFolders = true;
  }

  void resolveLibraries() {
    if (!noBuiltinFolders)
      for (StringRef folder : kBuiltinFolders)
        folders.push_back(folder.str());
    for (std::string &folder : folders)
      if (StringRef rest = folder; rest.consume_front("=") || rest.consume_front("$SYSROOT"))
        folder = sysroot + rest.str();
    for (const Library &library : libraries)
      line.inputs[library.input].path = find(library);
  }

  std::string find(const Library &library) const {
    StringRef name = library.name;
    std::vector<std::string> files;
    if (name.consume_front(":"))
      files = {name.str()};
    else if (library.isStatic)
      files = {"lib" + name.str() + ".a"};
    else
      files = {"lib" + name.str() + ".so", "lib" + name.str() + ".a"};
    for (const std::string &folder : folders)
      for (const std::string &file : files)
        if (std::string path = folder + "/" + file; exists(path))
          return path;
    return "";
  }

  const std::vector<std::string> &args;
  const std::function<bool(const std::string &)> &exists;
  LinkLine line;
  std::vector<std::string> folders;
  std::vector<Library> libraries;
  std::string sysroot;
  bool preferStatic = false;
  bool noBuiltinFolders = false;
};

} // namespace

LinkLine parseLinkLine(const std::vector<std::string> &args,
                       const std::function<bool(const std::string &)> &exists) {
  return Parser(args, exists).run();
}

std::vector<std::string> expandResponseFiles(const std::vector<std::string> &args) {
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *, 64> words;
  for (const std::string &arg : args)
    words.push_back(arg.c_str());
  cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, words);
  return {words.begin(), words.end()};
}

} // namespace culprit
