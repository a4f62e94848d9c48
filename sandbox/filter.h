// The system call filter of a sandbox: what is denied outright, and what the host is asked about.
#ifndef CULPRIT_SANDBOX_FILTER_H
#define CULPRIT_SANDBOX_FILTER_H

#include "sandbox/options.h"
#include "sandbox/unique_fd.h"

#include <linux/filter.h>
#include <vector>

namespace culprit {

/// The filter for a way, which is Namespace or Notify. Made once.
const std::vector<sock_filter> &filterFor(SandboxWay way);

/// Puts the filter on the calling thread and returns where its notifications come; not open, with
/// errno set, when the kernel refuses.
UniqueFd installFilter(const std::vector<sock_filter> &filter);

} // namespace culprit
#endif
