// See failure_output.h.
#include "cli/failure_output.h"

#include "cli/snapshot.h"
#include "report/failure_json.h"
#include "report/failure_text.h"
#include "support/files.h"
#include "support/output.h"

#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;

std::optional<FailureReport> readFailureOf(const Launch &launch, const Outcome &outcome,
                                           const Program &program) {
  Snapshot memory(launch.failure.record());
  int signal = outcome.isSent ? 0 : outcome.signal;
  return readFailure({launch.failure.record(), launch.build, static_cast<uint32_t>(outcome.process),
                      signal, outcome.status, launch.timeout, &program, launch.layout,
                      launch.isExact ? launch.countFolder : fs::path(), memory.reader()});
}

void printFailureOf(const std::optional<FailureReport> &failure, const Launch &launch,
                    const CommonOptions &common) {
  if (failure)
    writeErr(printFailure(*failure,
                          {launch.program.string(), wantsColour(STDERR_FILENO), !common.quiet}));
  if (!common.sarif.empty())
    writeFileAtomically(common.sarif, failureAsSarif(failure ? &*failure : nullptr));
}

std::optional<FailureReport> reportFailure(const Launch &launch, const Outcome &outcome,
                                           const Program &program, const CommonOptions &common) {
  std::optional<FailureReport> failure = readFailureOf(launch, outcome, program);
  printFailureOf(failure, launch, common);
  return failure;
}

} // namespace culprit
