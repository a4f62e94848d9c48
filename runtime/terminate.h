// std::terminate, if the program has the C++ library.
#ifndef CULPRIT_RUNTIME_TERMINATE_H
#define CULPRIT_RUNTIME_TERMINATE_H

namespace culprit {

/// Sets a terminate handler that writes the record and goes on to the one that was there.
void watchTerminate();

} // namespace culprit
#endif
