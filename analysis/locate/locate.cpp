// See locate.h.
#include "analysis/locate/locate.h"

#include "abi/memory_map.h"
#include "analysis/locate/suppression_loop.h"

#include <chrono>

namespace culprit {
namespace {

/// Bytes of guard words behind every buffer.
constexpr uint64_t kGuard = 32;

/// Of words that are no addresses, and large as sizes.
constexpr uint8_t kFill = 0xa5;

class Locator {
public:
  Locator(const Runner &run, const ProgramSites &sites, const Program &program)
      : run_(run), sites_(sites), program_(program) {
    guarded_.guard = kGuard;
    filled_ = guarded_;
    filled_.fill = {kFill, kFill, kFill};
    filled_.heap.reuse = false;
    fenced_.heap.fence = true;
  }

  LocateReport locate() {
    auto start = std::chrono::steady_clock::now();
    RunResult result = run_({});
    report_.runs.original = 1;
    report_.failure = result.failure;
    if (result.failure)
      explainFailure(result);
    else
      exposeHidden();
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report_.seconds = elapsed.count();
    return std::move(report_);
  }

private:
  void explainFailure(const RunResult &failed) {
    SuppressionLoop loop({run_, sites_, program_}, nullptr, report_.runs);
    loop.stopAtCopies();
    bool isFound = loop.follow(failed);
    bool isMisuse = isAboutWords(*failed.failure) || loop.isMisuse();
    if (!isMisuse && (loop.hasCopied() || !isFound) && findMisuse(failed))
      return;
    if (loop.hasCopied()) {
      SuppressionLoop further({run_, sites_, program_}, nullptr, report_.runs);
      isFound = further.follow(failed);
      report(further, isFound);
      return;
    }
    report(loop, isFound);
    bool isDoubtful = isFound && !isMisuse && isDecided(*failed.failure);
    if ((loop.hasSlack() || isDoubtful) && preferMisuse(guarded_))
      return;
    if (isFound && !isMisuse)
      preferEarlyFree(failed);
  }

  /// A value that was copied over something keeps the origin of the copy's source, and freed memory
  /// may hold anything: other layouts show both.
  bool findMisuse(const RunResult &failed) {
    return preferMisuse(guarded_) || preferEarlyFree(failed);
  }

  /// The fence has an end; filled memory shows less, but always.
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
  /// set.
  void exposeHidden() {
    report_.verdict = Verdict::NoFailure;
    report_.reason =
        "the program did not fail, nor did it with guard words, with freed memory out of reach "
        "and with filled memory";
    const Layout *layout = nullptr;
    RunResult result;
    for (const Layout *next : {&guarded_, &fenced_, &filled_}) {
      layout = next;
      result = reorder(*layout);
      if (result.failure)
        break;
    }
    if (!result.failure)
      return;
    report_.failure = result.failure;
    report_.layout = *layout;
    SuppressionLoop loop({run_, sites_, program_}, layout, report_.runs);
    bool isFound = loop.follow(result);
    report(loop, isFound);
  }

  RunResult reorder(const Layout &layout) {
    AlteredRun other;
    other.layout = &layout;
    ++report_.runs.reordering;
    return run_(other);
  }

  /// If another layout shows that memory is misused, and the failure goes away without that, that
  /// is the root cause: what is run over, or freed too early, may hold any value when it is used.
  bool preferMisuse(const Layout &layout) {
    RunResult result = reorder(layout);
    if (!result.failure || (&layout == &guarded_ && !brokenWord(result)))
      return false;
    LocateCounts apart;
    SuppressionLoop loop({run_, sites_, program_}, &layout, apart);
    bool isFound = loop.follow(std::move(result));
    report_.runs.reordering += apart.suppression + apart.reordering;
    report_.runs.tracing += apart.tracing;
    if (!isFound || !loop.isMisuse())
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

  /// On the usual layout.
  bool failsWithout(const std::vector<LocateStep> &steps) {
    AlteredRun without;
    for (const LocateStep &step : steps)
      for (Suspect suspect : step.suppressed) {
        if (suspect.execution.high != 0) // addresses are those of the other layout
          suspect.execution.low = 1, suspect.execution.high = ~uint64_t{0};
        without.points.push_back(suspect.execution);
      }
    ++report_.runs.suppression;
    return run_(without).failure.has_value();
  }

  const Runner &run_;
  const ProgramSites &sites_;
  const Program &program_;
  Layout guarded_; ///< guard words behind every buffer
  Layout filled_;  ///< and no address in memory that the program has not set, or has freed
  Layout fenced_;  ///< freed memory is out of reach
  LocateReport report_;
};

} // namespace

LocateReport locate(const Runner &run, const ProgramSites &sites, const Program &program) {
  return Locator(run, sites, program).locate();
}

} // namespace culprit
