// See closer_look.h.
#include "cli/closer_look.h"

#include "cli/failure_output.h"
#include "support/diagnostics.h"
#include "support/run_folder.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace culprit {
namespace {

constexpr double kGrace = 10;         ///< seconds that a second run has in any case
constexpr double kSlower = 20;        ///< times the first one that it may take where it is needed
constexpr double kPatience = 2;       ///< and where the first one has told the place
constexpr uint64_t kJoined = 64;      ///< accesses that the optimiser joins are not farther apart
constexpr uint64_t kByLibrary = 4096; ///< and those of two versions of a function of a library

bool isVague(const FailureReport &report) {
  bool hasPlace = report.place < report.stack.size();
  bool isInDoubt = report.argumentOf.empty() && report.candidates.size() > 1;
  return (hasPlace && report.stack[report.place].isApproximate) || isInDoubt;
}

bool isNear(std::optional<uint64_t> a, std::optional<uint64_t> b, uint64_t limit) {
  if (!a || !b)
    return a.has_value() == b.has_value();
  return std::max(*a, *b) - std::min(*a, *b) < limit;
}

/// Constants are where the code leaves room for them, which differs from build to build.
bool isSamePlace(const FailureReport &seen, const FailureReport &again) {
  bool isNamed = !seen.addressName.empty() && seen.addressName == again.addressName;
  bool isByLibrary = !seen.argumentOf.empty() && seen.argumentOf == again.argumentOf;
  return isNamed || isNear(seen.address, again.address, isByLibrary ? kByLibrary : kJoined);
}

/// Whether a function of a library failed, called at one place in both.
bool isSameCall(const FailureReport &seen, const FailureReport &again) {
  auto caller = [](const FailureReport &report) {
    return report.place > 0 && report.place < report.stack.size() ? &report.stack[report.place]
                                                                  : nullptr;
  };
  const StackFrame *one = caller(seen), *other = caller(again);
  return one && other && one->path == other->path && one->line == other->line &&
         one->column == other->column;
}

/// One instruction that reads and writes, as for `p->count++`, fails as a write. Sites kept apart
/// are a load, which fails, and a store. The two versions of memmove() begin at different ends.
bool isSameAccess(const FailureReport &seen, const FailureReport &again) {
  bool isRead = again.access == AccessKind::Read, isWrite = again.access == AccessKind::Write;
  bool wasWrite = seen.access == AccessKind::Write;
  if (isSameCall(seen, again) && (seen.access == AccessKind::Read || wasWrite))
    return isRead || isWrite;
  return again.access == seen.access ||
         (seen.argumentOf.empty() && again.argumentOf.empty() && wasWrite && isRead);
}

bool isSame(const FailureReport &seen, const FailureReport &again) {
  return again.kind == seen.kind && again.signal == seen.signal &&
         again.signalCode == seen.signalCode && again.thread == seen.thread &&
         isSameAccess(seen, again) && again.detail == seen.detail &&
         again.exceptionType == seen.exceptionType && !again.isInChild && isSamePlace(seen, again);
}

/// Why a failure cannot be repeated, or null.
const char *whyNotAgain(const FailureReport &report) {
  switch (report.kind) {
  case abi::FailureKind::Timeout:
  case abi::FailureKind::Deadlock:
    return "a program that hangs is not run again";
  case abi::FailureKind::StackExhausted:
    return "where the stack ends is another place in a build that keeps sites apart";
  case abi::FailureKind::OutOfMemory:
    return "a program that runs out of memory is not run again";
  default:
    break;
  }
  if (report.isInChild)
    return "a process that the program forked has failed";
  return report.place >= report.stack.size() ? "no statement of the program is known to have failed"
                                             : nullptr;
}

SandboxOptions unheard(const Launch &first, int input, int nowhere) {
  SandboxOptions options;
  if (first.sandbox)
    options = *first.sandbox;
  else
    options.allowPrograms = true;
  options.input = input;
  options.output = options.error = nowhere;
  return options;
}

/// What the second run says; `reason`: why it says nothing.
std::optional<FailureReport> runAgain(const FailureReport &seen, const Launch &first,
                                      const Program &program, const CommonOptions &common,
                                      int input, double timeout, std::string &reason) {
  Cache cache = Cache::open();
  Build build = makeBuild(program, {findMode("exact"), common.jobs, first.layout}, cache);
  RunFolder counters("count");
  FailureFile failure;
  Launch again{build,           first.program, first.arguments, failure,
               counters.path(), timeout,       first.layout,    true};
  UniqueFd nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  SandboxOptions sandbox = unheard(first, input, nowhere.get());
  again.sandbox = &sandbox;
  std::optional<FailureReport> report = readFailureOf(again, launchAndWait(again), program);
  if (report && isSame(seen, *report) && !isVague(*report))
    return report;
  if (report && report->kind == abi::FailureKind::Timeout)
    reason = fmt::format("a second run, in the sandbox, took longer than {:.0f} seconds", timeout);
  else
    reason = fmt::format("a second run, in the sandbox, {}",
                         report ? "failed in another way" : "did not fail");
  return std::nullopt;
}

} // namespace

CloserLook::CloserLook() {
  struct stat status{};
  isFile_ = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
  if (isFile_)
    position_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
}

UniqueFd CloserLook::inputAgain() const {
  struct stat status{};
  if (isFile_) {
    UniqueFd file(open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    if (file.isOpen() && lseek(file.get(), position_, SEEK_SET) == position_)
      return file;
    return {};
  }
  bool isNothing = fstat(STDIN_FILENO, &status) != 0 ||
                   (S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3));
  return isNothing ? UniqueFd(open("/dev/null", O_RDONLY | O_CLOEXEC)) : UniqueFd();
}

void CloserLook::complete(FailureReport &seen, const Launch &first, const Program &program,
                          const CommonOptions &common) const {
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  if (const char *reason = whyNotAgain(seen)) {
    seen.siteMissing = reason;
    return;
  }
  UniqueFd input = inputAgain();
  if (!input.isOpen()) {
    seen.siteMissing = "standard input is not a file, so a second run could not read it again";
    return;
  }
  double timeout = kGrace + (isVague(seen) ? kSlower : kPatience) * elapsed.count();
  try {
    std::optional<FailureReport> report =
        runAgain(seen, first, program, common, input.get(), timeout, seen.siteMissing);
    if (!report)
      return;
    report->process = seen.process;
    report->isRepeated = true;
    seen = std::move(*report);
  } catch (const Failure &failure) { // no sandbox here, no room for another build
    seen.siteMissing = fmt::format("a second run cannot be made: {}", failure.what());
  }
}

} // namespace culprit
