// libgc (Boehm, Demers and Weiser) looks for pointers on machine stacks, and locals are not there.
#ifndef CULPRIT_RUNTIME_COLLECTOR_H
#define CULPRIT_RUNTIME_COLLECTOR_H

namespace culprit {

/// Has the collector, if the program is linked with it, look in the frames of all threads, too.
void showFramesToCollector();

} // namespace culprit
#endif
