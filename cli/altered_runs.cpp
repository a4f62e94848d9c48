// See altered_runs.h.
#include "cli/altered_runs.h"

#include "analysis/failure/code_places.h"
#include "analysis/locate/touched_memory.h"
#include "cli/snapshot.h"
#include "cli/worker_processes.h"
#include "compiler/twin/plan_parts.h"
#include "report/altered_run_json.h"
#include "support/progress.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <thread>

namespace culprit {
namespace {

void suppress(const std::vector<Execution> &points, const ProgramSites &sites,
              abi::SuppressionRecord &record) {
  for (const Execution &point : points)
    if (record.pointCount < abi::kMostPoints)
      record.points[record.pointCount++] = {sites.numberOf(point.site), point.time, point.low,
                                            point.high, 0};
}

uint32_t countCallers(const abi::FailureBlock &block) {
  uint32_t count = 0;
  while (count < abi::kMostBlockCallers && block.allocatedAt[count] != 0)
    ++count;
  return count;
}

void readWrites(const FailureContext &context, RunResult &result) {
  CodePlaces places(context);
  uint64_t count = result.seen.writeCount;
  for (uint64_t i = count < abi::kMostWrites ? 0 : count - abi::kMostWrites; i < count; ++i) {
    const abi::WatchedWrite &write = result.seen.writes[i % abi::kMostWrites];
    result.writes.push_back({write.time, places.stackOf(write.pc, true, write.callers,
                                                        static_cast<uint32_t>(write.callerCount))});
  }
}

void readTraces(const FailureContext &context, RunResult &result) {
  CodePlaces places(context);
  auto stackOf = [&](const abi::PointerCopy &copy) {
    return places.stackOf(0, true, copy.callers, static_cast<uint32_t>(copy.callerCount));
  };
  uint64_t count = result.seen.copyCount;
  for (uint64_t i = count < abi::kMostCopies ? 0 : count - abi::kMostCopies; i < count; ++i) {
    const abi::PointerCopy &copy = result.seen.copies[i % abi::kMostCopies];
    result.copies.push_back(
        {copy.time, copy.address, stackOf(copy), copy.isFreed != 0, copy.isGone != 0});
  }
  if (result.seen.traced.callerCount > 0)
    result.traced = stackOf(result.seen.traced);
  result.touched = describeTouched(result.seen, context);
  result.place = describePlace(result.seen, context);
}

/// A run that was ended before it could fail, or not.
FailureReport takingTooMuch(uint64_t limit) {
  FailureReport report;
  report.kind = abi::FailureKind::OutOfMemory;
  report.signal = SIGKILL;
  report.label = "killed";
  report.message = fmt::format("the analysis build took more than {} MiB of memory", limit >> 20);
  return report;
}

constexpr size_t kMostScanned = 16;
struct ScannedKinds {
  abi::FailureKind kinds[kMostScanned];
};

/// Bytes of bitcode that take long to optimise.
uint64_t largeModules(const Program &program) {
  uint64_t bytes = 0;
  for (const Image *image : program.images())
    for (const Entry *entry : image->modules())
      if (isLargeModule(entry->header.rawSize))
        bytes += entry->header.rawSize;
  return bytes;
}

bool isUnaltered(const AlteredRun &run) {
  return run.points.empty() && !run.layout && !run.isExact;
}

} // namespace

void refuseThreads(const Program &program) {
  for (const Image *image : program.images())
    if (image->startsThreads)
      throw Failure(ExitCode::Refused,
                    fmt::format("'{}' starts threads, which locate cannot follow yet; 'culprit run "
                                "--exact' says where the program fails",
                                image->path.string()));
}

AlteredRuns::AlteredRuns(const Program &program, std::filesystem::path path,
                         std::vector<std::string> arguments, const Cache &cache,
                         const CommonOptions &common)
    : program_(program), path_(std::move(path)), arguments_(std::move(arguments)), cache_(cache),
      common_(common), largeModules_(largeModules(program)), isOptimised_(largeModules_ == 0) {}

bool AlteredRuns::isFollowedExactly(const AlteredRun &run) const {
  return run.isExact || (!isOptimised_ && !run.checksReads);
}

bool AlteredRuns::needsNoOrigins(const AlteredRun &run) const {
  return !isFollowedExactly(run) && !run.points.empty();
}

const char *AlteredRuns::modeFor(const AlteredRun &run) const {
  return run.checksReads          ? "reads"
         : isFollowedExactly(run) ? "suppress-exact"
         : needsNoOrigins(run)    ? "suppress"
                                  : "origins";
}

Build AlteredRuns::first() const {
  return makeBuild(program_, {findMode(modeFor({})), common_.jobs, nullptr, {}}, cache_);
}

/// A question is mostly followed by one about the same function, so builds that keep sites apart
/// can answer all that were and that may be asked.
const AlteredRuns::ProbedSites &AlteredRuns::probedFor(const AlteredRun &wanted,
                                                       const ProgramSites &sites) {
  if (!probed_)
    probed_ = sites.probedAnyway();
  if (wanted.probe)
    (*probed_)[wanted.probe->moduleId].merge(sites.probedWith(*wanted.probe));
  return *probed_;
}

Build AlteredRuns::build(const AlteredRun &wanted, const ProgramSites &sites) {
  BuildOptions options{findMode(modeFor(wanted)), common_.jobs, wanted.layout};
  for (const Execution &point : wanted.points)
    options.sites[point.site.moduleId].points.insert(point.site.site);
  for (const SiteAddress &branch : wanted.branches)
    options.sites[branch.moduleId].branches.insert(branch.site);
  if (isFollowedExactly(wanted))
    for (const auto &[module, probed] : probedFor(wanted, sites))
      options.sites[module].probes = probed;
  else if (wanted.probe)
    options.sites[wanted.probe->moduleId].probes.insert(wanted.probe->site);
  return makeBuild(program_, options, cache_);
}

RunResult AlteredRuns::run(const AlteredRun &wanted, const ProgramSites &sites,
                           const KeptInput &input) {
  std::optional<KeptRun> kept;
  if (kept_)
    kept.emplace(kept_->next());
  bool isTrial = isUnaltered(wanted) && !isOptimised_;
  RunResult result = runOnce(wanted, sites, input, kept);
  if (!isTrial || unaltered_ < timeoutFor(wanted))
    return result;
  isOptimised_ = true;
  if (kept)
    kept.emplace(kept_->again());
  return runOnce(wanted, sites, input, kept);
}

RunResult AlteredRuns::runOnce(const AlteredRun &wanted, const ProgramSites &sites,
                               const KeptInput &input, const std::optional<KeptRun> &kept) {
  Build made = build(wanted, sites);
  FailureFile failure;
  SuppressionFile suppression;
  suppress(wanted.points, sites, suppression.record());
  suppression.record().way = wanted.way;
  suppression.record().hasMarks = needsNoOrigins(wanted) ? 1 : 0;
  suppression.record().checksReads = wanted.checksReads ? 1 : 0;
  suppression.record().wantedSite = wanted.probe ? sites.numberOf(*wanted.probe) : 0;
  suppression.record().tracedTime = wanted.tracedTime;
  suppression.record().tracedPointer = wanted.tracedPointer;
  Launch launch{made, path_, arguments_, failure, {}, timeoutFor(wanted), wanted.layout};
  launch.suppression = &suppression;
  launch.isExact = isFollowedExactly(wanted) || wanted.checksReads;
  launch.watched = wanted.watched;
  launch.start = start_;
  UniqueFd fresh = input.fresh();
  auto place = [&] {
    return test_ ? FailureTest::makeOutput() : UniqueFd(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  };
  UniqueFd output = place();
  UniqueFd error = place();
  if (test_)
    launch.words.emplace_back("exits");
  SandboxOptions sandbox;
  sandbox.allowPrograms = true;
  sandbox.input = fresh.get();
  sandbox.output = kept ? kept->output() : output.get();
  sandbox.error = kept ? kept->error() : error.get();
  launch.sandbox = &sandbox;
  ++runs_;
  std::optional<StatusLine> status;
  if (showsRuns_)
    status.emplace(describe(wanted, sites));
  auto begin = std::chrono::steady_clock::now();
  Outcome outcome = launchAndWait(launch);
  status.reset();
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (isUnaltered(wanted))
    unaltered_ = elapsed.count();
  RunResult result = read(launch, outcome);
  if (!result.failure && outcome.sandbox && outcome.sandbox->limit() == SandboxLimit::Memory)
    result.failure = takingTooMuch(sandbox.limits.memory);
  if (test_)
    applyTest(outcome, sandbox, result);
  if (kept)
    kept->describe(alteredRunAsJson(wanted, result, sites, made.executable()));
  return result;
}

std::string AlteredRuns::describe(const AlteredRun &wanted, const ProgramSites &sites) const {
  std::string text = fmt::format("run {}", runs_);
  if (!wanted.points.empty()) {
    SitePlace place = sites.placeOf(wanted.points.back().site);
    text += fmt::format(", without {}:{}", place.file, place.line);
    if (wanted.points.size() > 1)
      text += fmt::format(" and {} more", wanted.points.size() - 1);
  }
  if (wanted.layout)
    text += ", on another layout";
  return wanted.isExact ? text + ", looking closer" : text;
}

std::vector<abi::FailureKind> AlteredRuns::scan(const std::vector<AlteredRun> &wanted,
                                                const ProgramSites &sites, const KeptInput &input) {
  SharedRecord<ScannedKinds> found("the results of runs");
  int interruption = 0;
  std::optional<Failure> problem;
  {
    WorkerProcesses workers(
        jobs(),
        [&](size_t i) {
          showsRuns_ = false; // there is one line only
          RunResult result = run(wanted[i], sites, input);
          if (result.failure)
            found.record().kinds[i] = result.failure->kind;
        },
        [&](const JobEnd &end) {
          if (end.code != ExitCode::Done)
            problem.emplace(end.code, end.message);
        });
    interruption = workers.run(std::min<size_t>(wanted.size(), kMostScanned));
  }
  runs_ += static_cast<unsigned>(wanted.size());
  if (interruption != 0)
    raise(interruption);
  if (problem)
    throw *problem;
  const abi::FailureKind *kinds = found.record().kinds;
  return {kinds, kinds + std::min<size_t>(wanted.size(), kMostScanned)};
}

unsigned AlteredRuns::jobs() const {
  return common_.jobs != 0 ? common_.jobs : std::max(1U, std::thread::hardware_concurrency());
}

/// Runs that are kept are numbered in their order.
Runs AlteredRuns::ways(const ProgramSites &sites, const KeptInput &input) {
  Runs ways;
  ways.run = [&](const AlteredRun &wanted) { return run(wanted, sites, input); };
  if (jobs() > 1 && !kept_)
    ways.scan = [&](const std::vector<AlteredRun> &wanted) { return scan(wanted, sites, input); };
  return ways;
}

/// What crashes has failed, whatever the test says of it.
void AlteredRuns::applyTest(const Outcome &outcome, const SandboxOptions &sandbox,
                            RunResult &result) const {
  if (result.failure && result.failure->kind == abi::FailureKind::Exit &&
      !test_->hasFailed(sandbox.output, sandbox.error, outcome.status))
    result.failure.reset();
}

double AlteredRuns::timeoutFor(const AlteredRun &wanted) const {
  bool isGiven = common_.timeout > 0;
  double patience = std::max(kPatience, static_cast<double>(largeModules_) * kPatiencePerByte);
  double usual = isOptimised_ ? kUsualTimeout : patience;
  if (isUnaltered(wanted))
    return isGiven && (isOptimised_ || common_.timeout < usual) ? common_.timeout : usual;
  double hanging = kGrace + kSlower * unaltered_;
  return isGiven ? std::min(common_.timeout, hanging) : hanging;
}

RunResult AlteredRuns::read(const Launch &launch, const Outcome &outcome) const {
  RunResult result;
  Snapshot memory(launch.failure.record());
  FailureContext context{launch.failure.record(),
                         launch.build,
                         static_cast<uint32_t>(outcome.process),
                         outcome.signal,
                         outcome.status,
                         launch.timeout,
                         &program_,
                         launch.layout,
                         {},
                         memory.reader()};
  result.failure = readFailure(context);
  result.seen = launch.suppression->record();
  result.status = outcome.status;
  auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  result.seconds = seconds(outcome.used.ru_utime) + seconds(outcome.used.ru_stime);
  result.kilobytes =
      outcome.kilobytes > 0 ? outcome.kilobytes : static_cast<uint64_t>(outcome.used.ru_maxrss);
  for (uint32_t i = 0; i < result.seen.operandCount; ++i) {
    uint64_t word = 0;
    uint64_t address = result.seen.operands[i].value;
    if (memory.reader() && memory.reader()->read(address, &word, sizeof word))
      result.readable.insert(address);
  }
  readWrites(context, result);
  readTraces(context, result);
  if (result.seen.overrun.address != 0)
    result.overrun = CodePlaces(context).stackOf(0, true, result.seen.overrun.allocatedAt,
                                                 countCallers(result.seen.overrun));
  return result;
}

} // namespace culprit
