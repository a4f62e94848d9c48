// Functions that were called, as reports speak of them.
#ifndef CULPRIT_REPORT_CALL_TEXT_H
#define CULPRIT_REPORT_CALL_TEXT_H

#include "analysis/failure/failure.h"

#include <string>

namespace culprit {

/// "list.c:60:3", as far as it is known.
std::string locationOf(const StackFrame &frame);

/// "main()"; C++ names come with their parameters.
std::string callName(const StackFrame &frame);

/// "main() at list.c:60:3", "qsort() in libc.so.6".
std::string callPlace(const StackFrame &frame);

} // namespace culprit
#endif
