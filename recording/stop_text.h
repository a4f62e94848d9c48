// Why a recording ends before its program, in words.
#ifndef CULPRIT_RECORDING_STOP_TEXT_H
#define CULPRIT_RECORDING_STOP_TEXT_H

#include "abi/recording.h"

#include <string>

namespace culprit {

/// "the program started a thread; threads are not recorded yet".
std::string describeStop(const abi::StopEvent &stop);

/// "read", or the number of a call that has no name here.
std::string nameOfCall(int64_t number);

} // namespace culprit
#endif
