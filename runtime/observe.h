// Mode `observe`, the runtime's part: what calls of unknown functions change.
#ifndef CULPRIT_RUNTIME_OBSERVE_H
#define CULPRIT_RUNTIME_OBSERVE_H

namespace culprit {

/// Results go to the memory that the host made under that name (abi::ObservedRecord).
void startObserving(const char *file);

} // namespace culprit
#endif
