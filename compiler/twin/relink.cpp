// See relink.h.
#include "compiler/twin/relink.h"

#include "abi/contract.h"
#include "compiler/twin/find_input.h"
#include "compiler/twin/identity.h"
#include "support/diagnostics.h"
#include "support/process.h"

#include <algorithm>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ArchiveWriter.h>
#include <llvm/Support/MemoryBuffer.h>
#include <optional>

namespace culprit {
namespace fs = std::filesystem;

namespace {

/// What happens to a linker option of the original.
enum class Fate { Keep, Drop, DropWithValue, KeepWithValue, FileValue, RunPath, Output };

struct OptionRule {
  const char *name; ///< without leading dashes
  Fate fate;
};

/// Options that an analysis build changes. Those with a value take it from `=` or the next word.
constexpr OptionRule kRules[] = {
    {"pie", Fate::Drop},
    {"static-pie", Fate::Drop},
    {"pic-executable", Fate::Drop},
    {"no-dynamic-linker", Fate::Drop},
    {"s", Fate::Drop},
    {"S", Fate::Drop},
    {"strip-all", Fate::Drop},
    {"strip-debug", Fate::Drop},
    {"x", Fate::Drop},
    {"discard-all", Fate::Drop},
    {"t", Fate::Drop},
    {"trace", Fate::Drop},
    {"M", Fate::Drop},
    {"print-map", Fate::Drop},
    {"print-gc-sections", Fate::Drop},
    {"print-memory-usage", Fate::Drop},
    {"cref", Fate::Drop},
    {"stats", Fate::Drop},
    {"verbose", Fate::Drop},
    {"no-undefined", Fate::Drop},
    {"fatal-warnings", Fate::Drop},
    {"Map", Fate::DropWithValue},
    {"dependency-file", Fate::DropWithValue},
    {"plugin", Fate::DropWithValue},
    {"plugin-opt", Fate::DropWithValue},
    {"out-implib", Fate::DropWithValue},
    {"o", Fate::Output},
    {"output", Fate::Output},
    {"T", Fate::FileValue},
    {"script", Fate::FileValue},
    {"version-script", Fate::FileValue},
    {"dynamic-list", Fate::FileValue},
    {"export-dynamic-symbol-list", Fate::FileValue},
    {"retain-symbols-file", Fate::FileValue},
    {"symbol-ordering-file", Fate::FileValue},
    {"rpath", Fate::RunPath},
    {"soname", Fate::KeepWithValue},
    {"h", Fate::KeepWithValue},
    {"m", Fate::KeepWithValue},
    {"e", Fate::KeepWithValue},
    {"entry", Fate::KeepWithValue},
    {"u", Fate::KeepWithValue},
    {"undefined", Fate::KeepWithValue},
    {"rpath-link", Fate::KeepWithValue},
    {"dynamic-linker", Fate::KeepWithValue},
    {"I", Fate::KeepWithValue},
    {"wrap", Fate::KeepWithValue},
    {"defsym", Fate::KeepWithValue},
    {"init", Fate::KeepWithValue},
    {"fini", Fate::KeepWithValue},
};

const OptionRule *ruleFor(std::string_view argument, bool &hasInlineValue) {
  hasInlineValue = false;
  if (argument.size() < 2 || argument[0] != '-')
    return nullptr;
  std::string_view name = argument.substr(argument.starts_with("--") ? 2 : 1);
  std::string_view stem = name.substr(0, name.find('='));
  for (const OptionRule &rule : kRules) {
    if (stem != rule.name)
      continue;
    hasInlineValue = stem.size() < name.size();
    return &rule;
  }
  return nullptr;
}

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
      : request_(request), image_(*request.image), finder_(*request.program, image_) {}

  void run() {
    const LinkRecord &record = *image_.link;
    isShared_ = record.output == "shared";
    std::vector<std::string> command{linkerFor(record)};
    for (std::string &argument : rewrite(record))
      command.push_back(std::move(argument));
    addOwnArguments(record, command);
    execute(command);
  }

private:
  static std::string linkerFor(const LinkRecord &record) {
    if (!fs::exists(record.linker))
      failUsage("the linker '{}' that linked the program is gone; install it again", record.linker);
    return record.linker;
  }

  /// The recorded arguments with inputs and options replaced; used for `ld -r` records too.
  std::vector<std::string> rewrite(const LinkRecord &record) {
    std::map<size_t, const LinkInput *> inputs;
    for (const LinkInput &input : record.inputs)
      inputs[input.arg] = &input;
    std::vector<std::string> out;
    for (size_t i = 0; i < record.argv.size(); ++i) {
      if (auto found = inputs.find(i); found != inputs.end()) {
        addInput(*found->second, record.argv[i], out);
        if (record.argv[i] == "-l")
          ++i;
        continue;
      }
      rewriteOption(record, i, out);
    }
    return out;
  }

  void rewriteOption(const LinkRecord &record, size_t &i, std::vector<std::string> &out) {
    const std::string &argument = record.argv[i];
    bool hasInlineValue = false;
    const OptionRule *rule = ruleFor(argument, hasInlineValue);
    auto next = [&] { return i + 1 < record.argv.size() ? record.argv[i + 1] : std::string(); };
    if (!rule) {
      if (argument == "-z" && (next() == "defs" || next() == "text")) {
        ++i;
        return;
      }
      out.push_back(argument);
      if (argument == "-z" && i + 1 < record.argv.size())
        out.push_back(record.argv[++i]);
      return;
    }
    if (rule->fate == Fate::Drop)
      return;
    if (rule->fate == Fate::Keep) {
      out.push_back(argument);
      return;
    }
    std::string value = hasInlineValue ? argument.substr(argument.find('=') + 1) : next();
    std::string name = hasInlineValue ? argument.substr(0, argument.find('=')) : argument;
    if (!hasInlineValue)
      ++i;
    if (rule->fate == Fate::DropWithValue || rule->fate == Fate::Output)
      return;
    if (rule->fate == Fate::FileValue)
      value = finder_.find(value, "").string();
    if (rule->fate == Fate::RunPath) {
      std::string origin = image_.path.parent_path().string();
      value = replaceAll(replaceAll(value, "${ORIGIN}", origin), "$ORIGIN", origin);
    }
    if (hasInlineValue) {
      out.push_back(name + "=" + value);
    } else {
      out.push_back(name);
      out.push_back(value);
    }
  }

  void addInput(const LinkInput &input, const std::string &argument,
                std::vector<std::string> &out) {
    if (!input.members.empty()) {
      out.push_back(twinArchive(input).string());
    } else if (input.kind != "shared" && holdsModules(input)) {
      addTwins(input, out);
    } else if (!input.bytes.empty()) {
      fs::path path = request_.scratch / (std::to_string(scratchCount_++) + "-" +
                                          fs::path(input.path).filename().string());
      writeFileAtomically(path, input.bytes);
      out.push_back(path.string());
    } else {
      out.push_back(foreignInput(input, argument));
    }
  }

  std::string foreignInput(const LinkInput &input, const std::string &argument) {
    if (input.kind == "shared")
      if (std::optional<fs::path> loaded = loadedLibrary(fs::path(input.path).filename()))
        return loaded->string();
    if (fs::path(input.path).is_absolute() && argument.starts_with("-l") && fs::exists(input.path))
      return argument == "-l" ? input.path : argument;
    fs::path found = finder_.find(input.path, input.hash);
    return (isShared_ ? found : nonPieStartFile(found)).string();
  }

  /// The library of that file name or soname that the program loads now. Links may stand between
  /// the name that was linked and the one that is loaded.
  std::optional<fs::path> loadedLibrary(const fs::path &name) const {
    auto matches = [&](const fs::path &path) {
      return path.filename() == name || fs::weakly_canonical(path).filename() == name;
    };
    for (const Image &library : request_.program->libraries)
      if (library.name == name || matches(library.path))
        return library.path;
    for (const fs::path &library : request_.program->foreignLibraries)
      if (matches(library))
        return library;
    return std::nullopt;
  }

  bool holdsModules(const LinkInput &input) const {
    return std::any_of(input.entries.begin(), input.entries.end(), [&](const std::string &id) {
      return request_.twins.count(id) || image_.relocatables.count(id);
    });
  }

  void addTwins(const LinkInput &input, std::vector<std::string> &out) {
    const std::string &last = input.entries.back();
    if (auto nested = image_.relocatables.find(last); nested != image_.relocatables.end()) {
      out.push_back(relinkRelocatable(nested->second).string());
      return;
    }
    for (const std::string &id : input.entries)
      if (auto twin = request_.twins.find(id); twin != request_.twins.end())
        out.push_back(twin->second.string());
  }

  fs::path relinkRelocatable(const LinkRecord &record) {
    fs::path output = request_.scratch / (std::to_string(scratchCount_++) + "-partial.o");
    std::vector<std::string> command{linkerFor(record)};
    for (std::string &argument : rewrite(record))
      command.push_back(std::move(argument));
    command.insert(command.end(), {"-o", output.string()});
    execute(command);
    return output;
  }

  /// An archive with the twins of the members that the program uses and the foreign members as they
  /// are. Members with bitcode that the program did not pull in stay out: nothing refers to them.
  fs::path twinArchive(const LinkInput &input) {
    std::optional<fs::path> original;
    std::vector<llvm::NewArchiveMember> members;
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
    for (const ArchiveMember &member : input.members) {
      std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
      if (member.entries.empty()) {
        if (!original)
          original = finder_.find(input.path, input.hash);
        files = membersNamed(*original, member.name);
      } else {
        for (const std::string &id : member.entries)
          if (auto twin = request_.twins.find(id); twin != request_.twins.end())
            if (auto buffer = llvm::MemoryBuffer::getFile(twin->second.string()))
              files.push_back(std::move(*buffer));
      }
      for (auto &file : files) {
        members.emplace_back(llvm::MemoryBufferRef(file->getBuffer(), member.name));
        buffers.push_back(std::move(file));
      }
    }
    fs::path path = request_.scratch / (std::to_string(scratchCount_++) + "-" +
                                        fs::path(input.path).filename().string());
    if (llvm::Error error =
            llvm::writeArchive(path.string(), members, llvm::SymtabWritingMode::NormalSymtab,
                               llvm::object::Archive::K_GNU, true, false))
      failUsage("cannot write '{}': {}", path.string(), llvm::toString(std::move(error)));
    return path;
  }

  static std::vector<std::unique_ptr<llvm::MemoryBuffer>> membersNamed(const fs::path &path,
                                                                       const std::string &name) {
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> found;
    auto file = llvm::MemoryBuffer::getFile(path.string());
    if (!file)
      failUsage("cannot read '{}': {}", path.string(), file.getError().message());
    llvm::Error error = llvm::Error::success();
    llvm::object::Archive archive((*file)->getMemBufferRef(), error);
    if (!error)
      for (const auto &child : archive.children(error)) {
        auto childName = child.getName();
        auto bytes = child.getBuffer();
        if (childName && bytes && *childName == name)
          found.push_back(llvm::MemoryBuffer::getMemBufferCopy(*bytes, name));
        llvm::consumeError(childName.takeError());
        llvm::consumeError(bytes.takeError());
      }
    if (error)
      failUsage("'{}' is a damaged archive: {}", path.string(), llvm::toString(std::move(error)));
    return found;
  }

  void addOwnArguments(const LinkRecord &record, std::vector<std::string> &command) {
    std::vector<std::string> own{"--defsym=" + std::string(abi::kImageIndexSymbol) + "=" +
                                     std::to_string(request_.imageIndex),
                                 imageObject().string()};
    if (!isShared_)
      own.insert(own.end(), {"--whole-archive", runtimeArchive().string(), "--no-whole-archive"});
    if (!isShared_ && image_.isDynamic)
      own.push_back("--export-dynamic-symbol=__culprit_*");
    // In front of the first library, so that static libraries can serve the runtime, too.
    auto place = std::find_if(command.begin() + 1, command.end(), [](const std::string &argument) {
      return argument == "--start-group" || argument == "-(" || argument.starts_with("-l");
    });
    command.insert(place, own.begin(), own.end());
    command.insert(command.end(), {"-o", request_.output.string()});
  }

  void execute(const std::vector<std::string> &command) {
    ProcessResult result = runProcess(command);
    if (result.status == 0)
      return;
    if (result.output.find("version_mismatch_check") != std::string::npos)
      failUsage("a twin in the cache was made for another version of the runtime; run 'culprit "
                "cache --clear' and try again");
    failUsage("linking the analysis build of '{}' failed; the linker said:\n{}",
              image_.path.string(), result.output);
  }

  const RelinkRequest &request_;
  const Image &image_;
  InputFinder finder_;
  bool isShared_ = false;
  int scratchCount_ = 0;
};

} // namespace

void relink(const RelinkRequest &request) {
  Relinker(request).run();
}

} // namespace culprit
