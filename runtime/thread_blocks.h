// Where threads have their thread-local variables, for the failure record.
#ifndef CULPRIT_RUNTIME_THREAD_BLOCKS_H
#define CULPRIT_RUNTIME_THREAD_BLOCKS_H

#include "abi/failure.h"

namespace culprit {

/// Of the images that have registered and of all threads of the program that are alive, the calling
/// one first, as many as the record has room for.
void recordThreadBlocks(abi::FailureRecord &record);

} // namespace culprit
#endif
