// Text to standard output and standard error. Either may be a full disk or a closed pipe.
#ifndef CULPRIT_SUPPORT_OUTPUT_H
#define CULPRIT_SUPPORT_OUTPUT_H

#include <string_view>

namespace culprit {

/// Writes a result to standard output. Throws Failure when it cannot be written.
void writeOut(std::string_view text);

/// Writes to standard error; what cannot be written there is lost.
void writeErr(std::string_view text);

} // namespace culprit
#endif
