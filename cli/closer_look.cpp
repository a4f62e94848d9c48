// See closer_look.h.
#include "cli/closer_look.h"

#include "cli/failure_output.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace culprit {
namespace {

constexpr double kGrace = 10;    ///< seconds that a second run has in any case
constexpr double kSlower = 20;   ///< times the first one that it may take
constexpr uint64_t kJoined = 64; ///< accesses that the optimiser joins are not farther apart

bool isVague(const FailureReport &report) {
  bool hasPlace = report.place < report.stack.size();
  return (hasPlace && report.stack[report.place].isApproximate) || report.candidates.size() > 1;
}

bool isNear(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  if (!a || !b)
    return a.has_value() == b.has_value();
  return std::max(*a, *b) - std::min(*a, *b) < kJoined;
}

bool isSame(const FailureReport &seen, const FailureReport &again) {
  return again.kind == seen.kind && again.signal == seen.signal &&
         again.signalCode == seen.signalCode && again.thread == seen.thread &&
         again.access == seen.access && again.detail == seen.detail &&
         again.exceptionType == seen.exceptionType && !again.isInChild &&
         isNear(seen.address, again.address);
}

bool canRepeat(const FailureReport &report) {
  return report.kind != abi::FailureKind::Timeout && report.kind != abi::FailureKind::Deadlock &&
         report.kind != abi::FailureKind::StackExhausted &&
         report.kind != abi::FailureKind::OutOfMemory && !report.isInChild;
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

std::optional<FailureReport> CloserLook::at(const FailureReport &seen, const Launch &first,
                                            const Program &program, const CommonOptions &common) {
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  UniqueFd input = inputAgain();
  if (!isVague(seen) || !canRepeat(seen) || !input.isOpen())
    return std::nullopt;
  try {
    Cache cache = Cache::open();
    Build build = makeBuild(program, {findMode("exact"), common.jobs, first.layout}, cache);
    TemporaryFolder counters(makeCounterFolder());
    FailureFile failure;
    double timeout = kGrace + kSlower * elapsed.count();
    Launch again{build,           first.program, first.arguments, failure,
                 counters.path(), timeout,       first.layout,    true};
    UniqueFd nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
    SandboxOptions sandbox;
    sandbox.allowPrograms = true;
    sandbox.input = input.get();
    sandbox.output = sandbox.error = nowhere.get();
    again.sandbox = &sandbox;
    std::optional<FailureReport> report = readFailureOf(again, launchAndWait(again), program);
    if (!report || !isSame(seen, *report) || isVague(*report))
      return std::nullopt;
    report->process = seen.process;
    report->isRepeated = true;
    return report;
  } catch (const Failure &) { // no sandbox here, no room for another build: what is known is told
    return std::nullopt;
  }
}

} // namespace culprit
