// See relink.h.
#include "compiler/twin/relink.h"

#include "abi/contract.h"
#include "compiler/twin/dead_references.h"
#include "compiler/twin/find_input.h"
#include "compiler/twin/identity.h"
#include "compiler/twin/link_options.h"
#include "compiler/twin/loader_segment.h"
#include "compiler/twin/section_places.h"
#include "compiler/twin/twin_archive.h"
#include "compiler/twin/version_script.h"
#include "support/diagnostics.h"
#include "support/process.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace culprit {
namespace fs = std::filesystem;

namespace {

/// Links may stand between the name that was linked and the one that is loaded.
bool isKnownAs(const fs::path &library, const fs::path &name) {
  return library.filename() == name || fs::weakly_canonical(library).filename() == name;
}

} // namespace

const Image *libraryFor(const Program &program, const LinkInput &input) {
  if (input.kind != "shared")
    return nullptr;
  for (const Image &library : program.libraries)
    if (!input.entries.empty() &&
        std::equal(input.entries.begin(), input.entries.end(), library.entries.begin(),
                   library.entries.end(),
                   [](const std::string &id, const Entry &entry) { return id == entry.id; }))
      return &library;
  fs::path name = fs::path(input.path).filename();
  for (const Image &library : program.libraries)
    if (name == library.name || isKnownAs(library.path, name))
      return &library;
  return nullptr;
}

std::string twinLibraryName(const Image &library) {
  return fs::path(library.name).filename();
}

namespace {

std::string replaceAll(std::string text, std::string_view from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// Start files of a PIE and their counterparts; glibc and gcc keep them side by side.
fs::path nonPieStartFile(const fs::path &path) {
  static constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {"Scrt1.o", "crt1.o"},
      {"rcrt1.o", "crt1.o"},
      {"crtbeginS.o", "crtbegin.o"},
      {"crtendS.o", "crtend.o"}};
  for (auto [pie, plain] : kPairs)
    if (path.filename() == pie)
      return path.parent_path() / plain;
  return path;
}

class Relinker {
public:
  explicit Relinker(const RelinkRequest &request)
      : request_(request), image_(*request.image), finder_(image_),
        isShared_(image_.link->output == "shared") {}

  void run() {
    std::vector<std::string> command{linkerFor(*image_.link)};
    rewrite(*image_.link, command);
    addRuntime(command);
    addExternals(command);
    addEntry(command);
    addRunPath(command);
    if (isShared_)
      command.insert(command.end(), {"-soname", twinLibraryName(image_)});
    // The linker demangles what it complains of, unless told otherwise.
    command.insert(command.end(), {"--no-demangle", "-o", request_.output.string()});
    addGlobalScript(command);
    warnOfUnused();
    ProcessResult result = linkPlaced(command);
    if (std::vector<std::string> dead = deadReferences(result.output, image_);
        result.status != 0 && !dead.empty()) {
      for (const std::string &name : dead)
        command.push_back("--defsym=" + name + (isShared_ ? "=0" : "=__culprit_missing"));
      result = runProcess(command, finder_.workingFolder());
    }
    check(result);
    if (!isShared_ && !hasScript())
      hideLoader(request_.output);
  }

private:
  /// With the image and its globals at fixed addresses, unless the program's own linker script
  /// places them or the linker cannot (gold, or nearly two gigabytes of them).
  ProcessResult linkPlaced(std::vector<std::string> &command) const {
    std::string linker = fs::canonical(command.front()).filename();
    bool isLld = linker.find("lld") != std::string::npos;
    bool isGold = linker.find("gold") != std::string::npos;
    SectionPlaces ways;
    if (!hasScript() && !isGold)
      ways = isShared_ ? libraryPlaces(request_.imageIndex, isLld) : executablePlaces();
    for (const std::vector<std::string> &places : ways) {
      std::vector<std::string> placed = command;
      placed.insert(placed.end(), places.begin(), places.end());
      ProcessResult result = runProcess(placed, finder_.workingFolder());
      if (result.status == 0 && !isShared_)
        checkOwnRoom(request_.output);
      if (result.status == 0 || !deadReferences(result.output, image_).empty()) {
        command = placed;
        return result;
      }
      checkOwnOverlap(result.output);
    }
    return runProcess(command, finder_.workingFolder());
  }

  void addGlobalScript(std::vector<std::string> &command) {
    if (request_.globalScript.empty())
      return;
    if (hasScript())
      failUsage(
          "'{}' was linked with a linker script of its own; a layout cannot order its globals "
          "(leave 'globals' and 'guard' out of it)",
          image_.path.string());
    fs::path script = scratchFile("globals.ld");
    writeFileAtomically(script, request_.globalScript);
    command.insert(command.end(), {"-T", script.string()});
  }

  bool hasScript() const {
    return std::any_of(image_.link->argv.begin(), image_.link->argv.end(),
                       [](const std::string &word) {
                         return word.starts_with("-T") || word.starts_with("--script") ||
                                word.starts_with("--section-start") || word == "-c";
                       });
  }

  /// Objects that a linker script names are no inputs of the record.
  void warnOfUnused() const {
    size_t unused = 0;
    for (const auto &[id, objects] : request_.twins)
      unused += !used_.contains(id);
    if (unused > 0)
      diagnose(
          Severity::Warning,
          fmt::format("{} of the modules of '{}' came in through a linker script; they stay as "
                      "they were and are not counted",
                      unused, image_.path.string()));
  }

  static std::string linkerFor(const LinkRecord &record) {
    if (!fs::exists(record.linker))
      failUsage("the linker '{}' that linked the program is gone; install it again", record.linker);
    return record.linker;
  }

  /// The recorded arguments with inputs and options replaced; used for `ld -r` records too.
  void rewrite(const LinkRecord &record, std::vector<std::string> &out) {
    std::map<size_t, const LinkInput *> inputs;
    for (const LinkInput &input : record.inputs)
      inputs[input.arg] = &input;
    for (size_t i = 0; i < record.argv.size(); ++i) {
      if (auto found = inputs.find(i); found != inputs.end()) {
        addInput(*found->second, record.argv[i], out);
        i += record.argv[i] == "-l";
        continue;
      }
      LinkOption option = parseLinkOption(record.argv, i);
      addOption(option, out);
      i += option.words - 1;
    }
  }

  void addOption(const LinkOption &option, std::vector<std::string> &out) {
    if (option.fate == Fate::Drop)
      return;
    std::string value = option.value;
    if (option.fate == Fate::Entry && !isShared_ && !hasScript()) {
      entry_ = value;
      return;
    }
    // -R with a folder is a run path, which is taken from the file.
    if (option.name == "-R" && fs::is_directory(finder_.workingFolder() / value))
      return;
    if (option.fate == Fate::File || option.fate == Fate::VersionScript)
      value = finder_.find(value, "").string();
    if (option.fate == Fate::VersionScript && !isShared_)
      value = openVersionScript(value, out);
    appendLinkOption(option, value, out);
  }

  /// A copy of the script in which what libraries use of the executable is not local. GNU ld does
  /// not export a name for that, though it does so without a script.
  std::string openVersionScript(const std::string &script, std::vector<std::string> &out) {
    std::string patterns = "__culprit_*;";
    for (const char *name : abi::kInterposed)
      patterns += std::string(" ") + name + ";";
    // As wildcards, which need not match: lld wants plain names to be defined.
    for (const fs::path &archive : {request_.shims.externals, cppVariablesArchive()})
      for (const std::string &name : archiveSymbols(archive))
        patterns += fmt::format(" {}[{}];", name.substr(0, name.size() - 1), name.back());
    fs::path changed = scratchFile("version-script");
    writeFileAtomically(changed, exportFromVersionScript(readFile(script), patterns));
    fs::path exported = scratchFile("dynamic-list");
    writeFileAtomically(exported, "{ " + patterns + " };\n");
    out.push_back("--dynamic-list=" + exported.string());
    return changed.string();
  }

  void addInput(const LinkInput &input, const std::string &argument,
                std::vector<std::string> &out) {
    if (!input.members.empty()) {
      out.push_back(twinArchive(input).string());
      return;
    }
    if (input.kind != "shared")
      if (std::vector<fs::path> objects = twinsOf(input.entries); !objects.empty()) {
        for (const fs::path &object : objects)
          out.push_back(object.string());
        return;
      }
    if (!input.bytes.empty()) {
      fs::path path = scratchFile(fs::path(input.path).filename());
      writeFileAtomically(path, input.bytes);
      out.push_back(path.string());
    } else if (!isUnused(input)) {
      out.push_back(foreignInput(input, argument));
    }
  }

  /// An object whose modules the linker dropped, as --gc-sections does.
  bool isUnused(const LinkInput &input) const {
    return input.kind != "shared" && !input.entries.empty() && !isPresent(input.entries);
  }

  std::string foreignInput(const LinkInput &input, const std::string &argument) const {
    if (const Image *library = libraryFor(*request_.program, input)) {
      auto twin = request_.libraries.find(library);
      return (twin == request_.libraries.end() ? library->path : twin->second).string();
    }
    if (fs::path(input.path).is_absolute() && argument.starts_with("-l") && fs::exists(input.path))
      return argument == "-l" ? input.path : argument;
    if (input.kind == "shared" && !finder_.has(input.path))
      for (const fs::path &library : request_.program->foreignLibraries)
        if (isKnownAs(library, fs::path(input.path).filename()) ||
            library.filename().string().starts_with(fs::path(input.path).filename().string() + "."))
          return library.string();
    // A shared library may have been replaced since; the program takes it as it is, too.
    fs::path found = finder_.find(input.path, input.kind == "shared" ? "" : input.hash);
    return (isShared_ ? found : nonPieStartFile(found)).string();
  }

  bool isPresent(const std::vector<std::string> &ids) const {
    return std::any_of(ids.begin(), ids.end(), [&](const std::string &id) {
      return std::any_of(image_.entries.begin(), image_.entries.end(),
                         [&](const Entry &entry) { return entry.id == id; });
    });
  }

  /// The objects to link for a file with these entries: its twins, or for the output of `ld -r` the
  /// same made of twins; none if it has no modules here.
  std::vector<fs::path> twinsOf(const std::vector<std::string> &ids) {
    std::vector<fs::path> objects;
    if (ids.empty())
      return objects;
    if (auto nested = image_.relocatables.find(ids.back()); nested != image_.relocatables.end())
      return {relinkRelocatable(nested->second)};
    for (const std::string &id : ids)
      if (auto twin = request_.twins.find(id); twin != request_.twins.end()) {
        objects.insert(objects.end(), twin->second.begin(), twin->second.end());
        used_.insert(id);
      }
    return objects;
  }

  fs::path relinkRelocatable(const LinkRecord &record) {
    fs::path output = scratchFile("partial.o");
    std::vector<std::string> command{linkerFor(record)};
    rewrite(record, command);
    command.insert(command.end(), {"-o", output.string()});
    check(runProcess(command, finder_.workingFolder()));
    return output;
  }

  /// An archive with the twins of the members that the program uses and the foreign members as they
  /// are. Members with bitcode that the program did not pull in stay out: nothing refers to them.
  fs::path twinArchive(const LinkInput &input) {
    fs::path original;
    ArchiveBuilder builder;
    std::map<std::string, size_t> seen;
    for (const ArchiveMember &member : input.members) {
      size_t occurrence = seen[member.name]++;
      std::vector<fs::path> objects = twinsOf(member.entries);
      for (const fs::path &object : objects)
        builder.addFile(member.name, object);
      bool isForeign = member.entries.empty() || (objects.empty() && isPresent(member.entries));
      if (isForeign && original.empty())
        original = finder_.find(input.path, input.hash);
      if (isForeign)
        builder.addMember(member.name, occurrence, original);
    }
    fs::path path = scratchFile(fs::path(input.path).filename());
    builder.write(path);
    return path;
  }

  /// A new file of that very name, by which some options know it.
  fs::path scratchFile(const fs::path &name) {
    fs::path folder = request_.scratch / fmt::format("{}-{}", request_.imageIndex, scratchCount_++);
    std::error_code error;
    if (!fs::create_directory(folder, error))
      failUsage("cannot make the folder '{}': {}", folder.string(), error.message());
    return folder / name;
  }

  /// The runtime goes in front of the first library, so that static libraries can serve it; the
  /// object that closes the section of counters goes behind all twins, but not behind crtend.o,
  /// which closes .eh_frame.
  void addRuntime(std::vector<std::string> &command) const {
    std::vector<std::string> own;
    if (!isShared_)
      own = {"--whole-archive", runtimeArchive().string()};
    if (!isShared_ && request_.records)
      own.push_back(recorderArchive().string());
    if (!isShared_ && image_.isDynamic()) {
      own.push_back(dynamicArchive().string());
      own.push_back("--export-dynamic-symbol=__culprit_*");
      for (const char *name : abi::kInterposed)
        own.push_back(std::string("--export-dynamic-symbol=") + name);
    }
    if (!isShared_)
      own.push_back("--no-whole-archive");
    if (!isShared_ && !image_.isDynamic())
      for (const char *name : abi::kStaticLibcNames)
        own.push_back(std::string("--undefined=") + name);
    // The runtime's operator new has only a weak reference to what throws bad_alloc.
    bool hasStaticCpp = !isShared_ && !image_.isDynamic() &&
                        std::find(command.begin(), command.end(), "-lstdc++") != command.end();
    if (hasStaticCpp)
      own.push_back("--undefined=_ZSt17__throw_bad_allocv");
    auto place = std::find_if(command.begin() + 1, command.end(), [](const std::string &argument) {
      return argument == "--start-group" || argument == "-(" || argument.starts_with("-l");
    });
    command.insert(place, own.begin(), own.end());
    if (!isShared_)
      command.insert(command.begin() + 1, frontObject().string());
    auto end = std::find_if(command.begin() + 1, command.end(), [](const std::string &argument) {
      return fs::path(argument).filename().string().starts_with("crtend");
    });
    command.insert(end, imageObject().string());
    command.push_back(fmt::format("--defsym={}={}+{}", abi::kImageIndexSymbol,
                                  abi::kImageBaseSymbol, request_.imageIndex));
  }

  /// Behind everything of the program's, whose own functions of such names come first. Twin
  /// libraries find the externals in the executable, where stdio is always there: they must find
  /// the program's streams. Of the instrumented ones every image has its own; only the executable's
  /// are seen by others, and only some.
  void addExternals(std::vector<std::string> &command) const {
    if (!isShared_ && !image_.isDynamic())
      return;
    std::vector<std::string> own;
    const ShimArchives &shims = request_.shims;
    bool hasInstrumented = !shims.instrumented.empty();
    if (hasInstrumented)
      own.push_back(shims.instrumented.string());
    if (isShared_ && hasInstrumented)
      own.push_back(fmt::format("--exclude-libs={}", shims.instrumented.filename().string()));
    if (!isShared_) {
      own.push_back(fmt::format("--undefined={}", abi::kStreamsSymbol));
      if (std::any_of(command.begin() + 1, command.end(), isCppLibrary))
        for (const char *name : abi::kCalledByCppLibrary)
          own.push_back(fmt::format("--undefined={}", name));
      own.push_back(shims.externals.string());
    }
    // The linker goes through archives in order, and these two need each other.
    if (!isShared_ && hasInstrumented) {
      own.push_back(shims.instrumented.string());
      own.push_back(fmt::format("--undefined={}", abi::kLocaleSymbol));
    }
    auto libc = std::find(command.rbegin(), command.rend(), "-lc");
    if (libc != command.rend())
      command.insert(libc.base() - 1, own.begin(), own.end());
    // An archive is asked only for what is not yet defined.
    auto cpp = std::find_if(command.begin() + 1, command.end(), isCppLibrary);
    if (cpp == command.end())
      return;
    if (!isShared_)
      cpp = std::next(command.insert(cpp, cppVariablesArchive().string()));
    if (!shims.cpp.empty())
      command.insert(cpp, shims.cpp.string());
  }

  /// The runtime's entry, which goes on to the program's. A linker script may have another.
  void addEntry(std::vector<std::string> &command) const {
    if (isShared_ || hasScript())
      return;
    command.insert(command.end(), {"-e", abi::kEntrySymbol});
    if (!entry_.empty())
      command.push_back(fmt::format("--defsym={}={}", abi::kProgramEntrySymbol, entry_));
  }

  /// Libraries are searched for where the original's are, after the twins. Those are found through
  /// LD_LIBRARY_PATH, except from an image with DT_RPATH, which goes before it.
  void addRunPath(std::vector<std::string> &command) const {
    std::string path = image_.dynamic.runPath;
    if (path.empty())
      return;
    std::string origin = image_.origin().string();
    path = replaceAll(replaceAll(path, "${ORIGIN}", origin), "$ORIGIN", origin);
    if (image_.dynamic.runPathIsOld)
      path = (isShared_ ? "$ORIGIN:" : "$ORIGIN/lib:") + path;
    command.push_back("-rpath=" + path);
    command.push_back(image_.dynamic.runPathIsOld ? "--disable-new-dtags" : "--enable-new-dtags");
  }

  void check(const ProcessResult &result) const {
    if (result.status == 0)
      return;
    if (result.output.find("version_mismatch_check") != std::string::npos)
      failUsage("a twin in the cache was made for another version of the runtime; run 'culprit "
                "cache --clear' and try again");
    if (result.output.empty() && result.status > 128)
      failUsage("the linker of the analysis build of '{}' was ended by signal {} ({}); look for a "
                "limit on memory, time or files (ulimit -a)",
                image_.path.string(), result.status - 128, strsignal(result.status - 128));
    failUsage("linking the analysis build of '{}' failed; the linker said:\n{}",
              image_.path.string(), result.output);
  }

  const RelinkRequest &request_;
  const Image &image_;
  InputFinder finder_;
  bool isShared_;
  int scratchCount_ = 0;
  std::string entry_;          ///< that the program asks for; empty: `_start`
  std::set<std::string> used_; ///< modules whose twins are linked
};

} // namespace

void relink(const RelinkRequest &request) {
  Relinker(request).run();
}

} // namespace culprit
