// What a probed access touched, in words: the runtime has noted the frames and heap blocks of that
// moment (abi/origins.h), for later on the same addresses may be somebody else's.
#ifndef CULPRIT_ANALYSIS_LOCATE_TOUCHED_MEMORY_H
#define CULPRIT_ANALYSIS_LOCATE_TOUCHED_MEMORY_H

#include "abi/origins.h"
#include "analysis/failure/failure.h"

#include <string>

namespace culprit {

/// "`ptrs[0]` in `work`, through a pointer to `hist` in `work`"; empty: not known. `context` is
/// that of the run in which the execution was traced.
std::string describeTouched(const abi::SuppressionRecord &seen, const FailureContext &context);

/// Where the failing access had its pointer from: "`ptrs[0]` in `work`"; empty: not known.
std::string describePlace(const abi::SuppressionRecord &seen, const FailureContext &context);

} // namespace culprit
#endif
