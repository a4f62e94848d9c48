// See locate.h.
#include "analysis/locate/locate.h"

#include "abi/memory_map.h"
#include "analysis/locate/suppression_loop.h"
#include "analysis/locate/wrappers.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>

namespace culprit {
namespace {

/// Bytes of guard words on both sides of every buffer; and where they are to show strides that
/// step over those.
constexpr uint64_t kGuard = 128, kWideGuard = 1024;

/// Of words that are no addresses, and large as sizes.
constexpr uint8_t kFill = 0xa5;

/// A layout that shows what the usual one hides.
struct Exposure {
  const Layout &layout;
  const char *words; ///< that say what is different
};

/// Whether the same statement has failed to access the same address.
bool isSameAccess(const FailureReport &one, const FailureReport &other) {
  return one.kind == abi::FailureKind::Signal && one.kind == other.kind &&
         one.address == other.address && failingSite(one) && failingSite(one) == failingSite(other);
}

class Locator {
public:
  Locator(const Runs &runs, const ProgramSites &sites, const Program &program)
      : runs_(runs), sites_(sites), program_(program) {
    guarded_.guard = guarded_.front = kGuard;
    wide_.guard = wide_.front = kWideGuard;
    filled_ = guarded_;
    filled_.fill = {kFill, kFill, kFill};
    filled_.heap.reuse = false;
    fenced_.heap.fence = true;
  }

  LocateReport locate() {
    auto start = std::chrono::steady_clock::now();
    RunResult result = runs_.run({});
    report_.failure = result.failure;
    if (result.failure) {
      explainFailure(result);
      if (mayHaveBeenRead())
        preferRead();
    } else {
      exposeHidden();
    }
    preferLeftLocal();
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report_.seconds = elapsed.count();
    report_.runs = runs_.counts();
    return std::move(report_);
  }

private:
  void explainFailure(const RunResult &failed) {
    SuppressionLoop loop({runs_, sites_, program_}, nullptr);
    loop.stopAtCopies();
    bool isFound = loop.follow(failed);
    bool isMisuse = isAboutWords(failed.howItFailed()) || loop.isMisuse();
    if (!isMisuse && (loop.hasCopied() || !isFound) && findMisuse(failed))
      return;
    if (loop.hasCopied()) {
      SuppressionLoop further({runs_, sites_, program_}, nullptr);
      isFound = further.follow(failed);
      report(further, isFound);
      return;
    }
    report(loop, isFound);
    bool isDoubtful = isFound && !isMisuse && isDecided(failed.howItFailed());
    if ((loop.hasSlack() || isDoubtful) && preferMisuse(guarded_))
      return;
    if (isFound && mayHaveBrokenIndex(failed) &&
        preferMisuse(guarded_, failingSite(failed.howItFailed())))
      return;
    if (isFound && !isMisuse)
      preferEarlyFree(failed);
  }

  /// Whether the statement that went too far off may have written over the index that it goes by,
  /// as one that walks below an array does when that lies there.
  bool mayHaveBrokenIndex(const RunResult &failed) const {
    AccessKind access = failed.howItFailed().access;
    return (access == AccessKind::Write || access == AccessKind::Read) &&
           report_.rootCauses.front().why == kOutOfRange;
  }

  /// A value that was copied over something keeps the origin of the copy's source, and freed memory
  /// may hold anything: other layouts show both.
  bool findMisuse(const RunResult &failed) {
    return preferMisuse(guarded_) || preferEarlyFree(failed);
  }

  /// The fence has an end; filled memory shows less, but for longer.
  bool preferEarlyFree(const RunResult &failed) {
    return failed.seen.freeCount > 0 &&
           (preferMisuse(fenced_) ||
            (failed.seen.freeCount > abi::kMostFenced && preferMisuse(filled_)));
  }

  void report(const SuppressionLoop &loop, bool isFound) {
    report_.verdict = isFound ? Verdict::MemoryCorruption : Verdict::NotFound;
    report_.steps = loop.steps();
    if (!report_.steps.empty() && report_.failure && isBetweenSites(*report_.failure, sites_))
      report_.failure = report_.steps.front().failure;
    (isFound ? report_.rootCauses : report_.candidates) = loop.suspects();
    report_.reason = loop.reason();
    report_.proof = loop.proof();
  }

  /// The program does not fail on the usual layout: guard words show what runs over buffers, a
  /// fence what uses memory that it has freed, and fill patterns what uses memory that it has not
  /// set. What is left is tried at once where that is possible, and again where something fails.
  void exposeHidden() {
    report_.verdict = Verdict::NoFailure;
    report_.reason =
        "the program did not fail in its analysis build, nor did it there with guard words, with "
        "freed memory out of reach and with filled memory; nor did anything read beside an object";
    const Exposure exposures[] = {{guarded_, "with guard words around every buffer"},
                                  {fenced_, "with freed memory out of reach"},
                                  {filled_, "with patterns in memory that was not set"},
                                  {wide_, "with many guard words around every buffer"}};
    std::vector<AlteredRun> rest(std::size(exposures));
    for (size_t i = 0; i < rest.size(); ++i)
      rest[i].layout = &exposures[i].layout;
    std::vector<abi::FailureKind> kinds;
    unsigned givenUp = 0;
    for (size_t i = 0; i < rest.size(); ++i) {
      if (i == 1)
        kinds = runs_.scan({rest.begin() + 1, rest.end()});
      if (i > 0 && !kinds.empty() && !isByProgram(kinds[i - 1])) {
        givenUp += kinds[i - 1] != abi::FailureKind::None;
        continue;
      }
      RunResult result = reorder(exposures[i].layout);
      givenUp += result.failure && !isByProgram(result.failure->kind);
      if (!result.failure || !isByProgram(result.failure->kind))
        continue;
      report_.failure = result.failure;
      report_.layout = exposures[i].layout;
      report_.setting = exposures[i].words;
      SuppressionLoop loop({runs_, sites_, program_}, &exposures[i].layout);
      bool isFound = loop.follow(result);
      return report(loop, isFound);
    }
    if (givenUp > 0)
      report_.reason +=
          fmt::format("; {} of these runs took too much memory or time, and tell nothing", givenUp);
    findReads();
  }

  /// Who reads beside an object, which shows by itself only where nothing is mapped. An index may
  /// be far off; but many guard words take memory that may not be there.
  void findReads() {
    for (const Layout *layout : {&wide_, &guarded_}) {
      RunResult result = watchReads(*layout);
      if (!result.failure)
        return;
      if (hasReadBeside(result))
        return reportRead(result, *layout);
    }
  }

  RunResult watchReads(const Layout &layout) {
    AlteredRun reading;
    reading.layout = &layout;
    reading.checksReads = true;
    return runs_.run(reading);
  }

  static bool hasReadBeside(const RunResult &result) {
    return result.failure && result.failure->kind == abi::FailureKind::ReadGuard;
  }

  /// Whether the failure may be due to what was read beside an object: that is what nobody has set,
  /// or somebody else has.
  bool mayHaveBeenRead() const {
    if (report_.verdict != Verdict::MemoryCorruption)
      return report_.failure && isByProgram(report_.failure->kind);
    if (report_.steps.empty() || report_.rootCauses.empty() ||
        isDecided(report_.steps.front().failure))
      return false; // the program has looked at more than one value
    const Suspect &first = report_.rootCauses.front();
    return !first.isFree && first.execution == report_.steps.back().suppressed[0].execution &&
           isAllocation(program_, first.execution.site);
  }

  /// Blames a read beside an object, by the function that failed if something else was found.
  void preferRead() {
    RunResult result = watchReads(guarded_);
    if (!hasReadBeside(result) || !report_.failure)
      return;
    bool isFound = report_.verdict == Verdict::MemoryCorruption;
    const StackFrame *reader = ownFrame(result.howItFailed().stack, sites_);
    const StackFrame *failing = ownFrame(report_.failure->stack, sites_);
    if (isFound && (!reader || !failing || reader->linkageName != failing->linkageName))
      return;
    SuppressionLoop loop({runs_, sites_, program_}, &guarded_);
    if (!loop.blameRead(result))
      return;
    report_.verdict = Verdict::MemoryCorruption;
    report_.rootCauses = loop.suspects();
    report_.candidates.clear();
    report_.reason.clear();
    report_.proof = loop.proof();
    report_.steps.insert(report_.steps.end(), loop.steps().begin(), loop.steps().end());
  }

  void reportRead(const RunResult &result, const Layout &layout) {
    SuppressionLoop loop({runs_, sites_, program_}, &layout);
    if (!loop.blameRead(result))
      return;
    report_.failure = result.failure;
    report_.layout = layout;
    report_.setting = "where neither guard words around buffers nor locals of functions that have "
                      "returned may be read";
    report(loop, true);
  }

  /// What the end of a scope has freed, with the local that owned it, may be used through a pointer
  /// to that local: then whoever handed the pointer out comes first.
  void preferLeftLocal() {
    if (report_.rootCauses.empty() || !report_.rootCauses.front().isFree)
      return;
    const CallStack &calls = report_.rootCauses.front().calls;
    std::optional<SiteAddress> site = calls.empty() ? std::nullopt : calls.front().site;
    if (!site || !worksOnLocal(program_, *site))
      return;
    RunResult result = watchReads(guarded_);
    if (!hasReadBeside(result))
      return;
    SuppressionLoop loop({runs_, sites_, program_}, &guarded_);
    if (!loop.blameRead(result) || !loop.blamesLocal())
      return;
    report_.rootCauses.insert(report_.rootCauses.begin(), loop.suspects().front());
    report_.proof = loop.proof();
  }

  /// A layout that needs more memory or time may bring about these by itself.
  static bool isByProgram(abi::FailureKind kind) {
    using Kind = abi::FailureKind;
    return kind != Kind::None && kind != Kind::StackExhausted && kind != Kind::OutOfMemory &&
           kind != Kind::Timeout;
  }

  RunResult reorder(const Layout &layout) {
    AlteredRun other;
    other.layout = &layout;
    return runs_.run(other);
  }

  /// If another layout shows that memory is misused, and the failure goes away without that, that
  /// is the root cause: what is run over, or freed too early, may hold any value when it is used.
  /// `writer`: only if the line of that site misuses it.
  bool preferMisuse(const Layout &layout, std::optional<SiteAddress> writer = std::nullopt) {
    RunResult result = reorder(layout);
    if (!result.failure || (&layout == &guarded_ && !brokenWord(result)))
      return false;
    if (report_.failure && isSameAccess(*result.failure, *report_.failure))
      return false; // the layout has changed nothing
    SuppressionLoop loop({runs_, sites_, program_}, &layout);
    bool isFound = loop.follow(std::move(result));
    if (!isFound || !loop.isMisuse())
      return false;
    if (writer && !loop.suspects().front().place.isSameLine(sites_.placeOf(*writer)))
      return false;
    if (!loop.isProvedByRoom() && failsWithout(loop.steps()))
      return false;
    report_.verdict = Verdict::MemoryCorruption;
    report_.rootCauses = loop.suspects();
    report_.candidates.clear();
    report_.proof = loop.proof();
    for (const LocateStep &step : loop.steps())
      report_.steps.push_back(step);
    return true;
  }

  /// On the usual layout. A statement that frees too early may do so again, where only the first
  /// time showed. A loop that nothing ends any more tells nothing by itself: then what failed was
  /// to be the line that is shown to write over memory.
  bool failsWithout(const std::vector<LocateStep> &steps) {
    AlteredRun without;
    for (const LocateStep &step : steps)
      for (Suspect suspect : step.suppressed) {
        if (suspect.isFree)
          suspect.execution.high = ~uint64_t{0};
        else if (suspect.execution.high != 0) // addresses are those of the other layout
          suspect.execution.low = 1, suspect.execution.high = ~uint64_t{0};
        without.points.push_back(suspect.execution);
      }
    RunResult result = runs_.run(without);
    if (result.failure && isSignal(*result.failure, SIGSEGV)) {
      without.isExact = true; // for the site of the failing instruction
      result = runs_.run(without);
    }
    if (!result.failure)
      return false;
    bool isEndless = result.failure->kind == abi::FailureKind::Timeout;
    return !runsOnFrom(isEndless && report_.failure ? *report_.failure : *result.failure, steps);
  }

  /// Whether the line fails that was shown to write over memory: on the usual layout the same
  /// access may be beyond all memory, or beyond what the guard words cover.
  bool runsOnFrom(const FailureReport &failure, const std::vector<LocateStep> &steps) const {
    std::optional<SiteAddress> site = failingSite(failure);
    if (!site || !isSignal(failure, SIGSEGV))
      return false;
    SitePlace failing = sites_.placeOf(*site);
    return std::any_of(steps.begin(), steps.end(), [&](const LocateStep &step) {
      return !step.suppressed[0].isFree && step.suppressed[0].place.isSameLine(failing);
    });
  }

  MadeRuns runs_;
  const ProgramSites &sites_;
  const Program &program_;
  Layout guarded_; ///< guard words on both sides of every buffer
  Layout wide_;    ///< more of them
  Layout filled_;  ///< and no address in memory that the program has not set, or has freed
  Layout fenced_;  ///< freed memory is out of reach
  LocateReport report_;
};

} // namespace

LocateReport locate(const Runs &runs, const ProgramSites &sites, const Program &program) {
  return Locator(runs, sites, program).locate();
}

} // namespace culprit
