// See sandbox_choice.h.
#include "cli/sandbox_choice.h"

#include "report/json.h"
#include "support/diagnostics.h"
#include "support/files.h"
#include "support/output.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/sendfile.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

SandboxWay wayNamed(const std::string &name) {
  for (SandboxWay way : {SandboxWay::Namespace, SandboxWay::Notify})
    if (name == wayName(way))
      return way;
  return SandboxWay::Automatic;
}

std::string limitReached(SandboxLimit limit, const SandboxLimits &limits) {
  switch (limit) {
  case SandboxLimit::None:
    return "";
  case SandboxLimit::Time:
    return fmt::format("it ran longer than {} s", limits.seconds);
  case SandboxLimit::Memory:
    return fmt::format("it took more than {} bytes of memory (--limit-memory)", limits.memory);
  case SandboxLimit::Output:
    return fmt::format("it printed more than {} bytes (--limit-output)", limits.output);
  }
  return "";
}

std::string changesAsText(const std::vector<FileChange> &changes) {
  std::string text;
  for (const FileChange &change : changes)
    text += fmt::format("{:<10} {:<6} {:>12} {}\n", changeName(change.kind), typeName(change.type),
                        change.size, change.path);
  return text.empty() ? "culprit: note: the program changed no files\n"
                      : fmt::format("culprit: note: the program changed {} files; the sandbox "
                                    "has dropped that\n{}",
                                    changes.size(), text);
}

std::string changesAsJson(const std::vector<FileChange> &changes) {
  llvm::json::Array list;
  for (const FileChange &change : changes)
    list.push_back(llvm::json::Object{{"path", jsonString(change.path)},
                                      {"change", changeName(change.kind)},
                                      {"type", typeName(change.type)},
                                      {"size", change.size}});
  return jsonText(llvm::json::Object{{"changes", std::move(list)}});
}

void copyOut(const Sandbox &sandbox, const FileChange &change, const fs::path &folder) {
  UniqueFd from = sandbox.open(change.path);
  fs::path path = folder / "files" / fs::path(change.path).relative_path();
  if (!from.isOpen())
    return;
  fs::create_directories(path.parent_path());
  UniqueFd to(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  ssize_t sent = 0;
  lseek(from.get(), 0, SEEK_SET);
  while ((sent = sendfile(to.get(), from.get(), nullptr, 1 << 24)) > 0)
    continue;
  if (sent < 0)
    failUsage("cannot write '{}': {}", path.string(), std::strerror(errno));
}

void save(const Sandbox &sandbox, const std::vector<FileChange> &changes, const fs::path &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    failUsage("cannot make the folder '{}': {}", folder.string(), error.message());
  writeFileAtomically(folder / "changes.json", changesAsJson(changes));
  for (const FileChange &change : changes)
    if (change.type == FileType::Regular && change.kind != ChangeKind::Deleted)
      copyOut(sandbox, change, folder);
}

} // namespace

void SandboxChoice::addOptions(CLI::App &app) {
  addWay(app);
  addMore(app, "--sandbox");
}

void SandboxChoice::addOptions(CLI::App &app, const std::string &needed) {
  isAlways_ = true;
  addWay(app)->needs(needed);
  addMore(app, needed);
}

CLI::Option *SandboxChoice::addWay(CLI::App &app) {
  return app
      .add_flag(
          "--sandbox{automatic}", way_,
          "keep from the outside what the program does; WAY is namespace, notify or automatic")
      ->type_name("[=WAY]")
      ->check(CLI::IsMember({"automatic", "namespace", "notify"}));
}

void SandboxChoice::addMore(CLI::App &app, const std::string &needed) {
  std::string with = "with " + needed + ": ";
  app.add_flag("--show-writes", showWrites_, with + "list afterwards what the program did to files")
      ->needs(needed);
  app.add_option("--save-writes", writesFolder_,
                 with + "save the files that it wrote, and changes.json, in FOLDER")
      ->type_name("FOLDER")
      ->needs(needed);
  app.add_flag("--allow-programs", options_.allowPrograms,
               with + "let it execute other programs, inside")
      ->needs(needed);
  app.add_option("--limit-cpu", options_.limits.cpuSeconds,
                 with + "seconds of processor time of each process")
      ->type_name("S")
      ->needs(needed);
  app.add_option("--limit-memory", options_.limits.memory,
                 with + "memory of all processes and written files (default 4G)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false))
      ->needs(needed);
  app.add_option("--limit-output", options_.limits.output,
                 with + "bytes to standard output and error")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false))
      ->needs(needed);
  app.add_option("--limit-processes", options_.limits.processes,
                 with + "processes at a time (default 256)")
      ->type_name("N")
      ->needs(needed);
}

const SandboxOptions *SandboxChoice::options() {
  if (way_.empty() && !isAlways_)
    return nullptr;
  options_.way = wayNamed(way_);
  return &options_;
}

void SandboxChoice::report(const Sandbox &sandbox) const {
  std::string reason = limitReached(sandbox.limit(), options_.limits);
  if (!reason.empty())
    diagnose(Severity::Warning, fmt::format("the program was killed: {}", reason));
  if (!showWrites_ && writesFolder_.empty())
    return;
  std::vector<FileChange> changes = sandbox.changes();
  if (showWrites_)
    writeErr(changesAsText(changes));
  if (!writesFolder_.empty())
    save(sandbox, changes, writesFolder_);
}

} // namespace culprit
