// A process becomes a sandbox of namespaces: user, mount, process, network, IPC and host name.
//
// The host forks a builder. The builder unshares, builds the root folder (root.h), and clones two
// processes into the new process namespace, both of them children of the host: the first process,
// which takes in orphans and whose end is the end of all others, and the program. Then it ends. So
// the program is the host's own child, as it is without a sandbox, and not the first process, to
// which signals mean something else.
#ifndef CULPRIT_SANDBOX_NAMESPACES_H
#define CULPRIT_SANDBOX_NAMESPACES_H

#include "sandbox/program_process.h"

#include <sys/types.h>

namespace culprit {

/// The builder's work. `lifeline`: a pipe that the host holds open; when it closes, all ends.
[[noreturn]] void buildNamespaces(const ProgramPlan &plan, int lifeline);

/// The host's part, once the builder is in a user namespace: its users and groups keep their
/// numbers, all of them for root, else one's own.
void mapUsers(pid_t builder);

} // namespace culprit
#endif
