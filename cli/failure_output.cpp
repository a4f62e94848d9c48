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

std::optional<FailureReport> reportFailure(const Launch &launch, const Outcome &outcome,
                                           const Program &program, const CommonOptions &common) {
  Snapshot memory(launch.failure.record());
  std::optional<FailureReport> failure =
      readFailure({launch.failure.record(), launch.build, static_cast<uint32_t>(outcome.process),
                   outcome.signal, outcome.status, launch.timeout, &program, launch.layout,
                   launch.isExact ? launch.countFolder : fs::path(), memory.reader()});
  if (failure)
    writeErr(printFailure(*failure,
                          {launch.program.string(), wantsColour(STDERR_FILENO), !common.quiet}));
  if (!common.sarif.empty())
    writeFileAtomically(common.sarif, failureAsSarif(failure ? &*failure : nullptr));
  return failure;
}

} // namespace culprit
