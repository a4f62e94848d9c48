// A failure for people, the way a compiler prints an error.
#ifndef CULPRIT_REPORT_FAILURE_TEXT_H
#define CULPRIT_REPORT_FAILURE_TEXT_H

#include "analysis/failure/failure.h"

#include <string>

namespace culprit {

struct FailureTextOptions {
  std::string program; ///< stands for the location where none is known
  bool colour = false;
  bool notes = true; ///< call stack, blocks, threads
};

std::string printFailure(const FailureReport &report, const FailureTextOptions &options);

} // namespace culprit
#endif
