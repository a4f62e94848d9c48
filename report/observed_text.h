// What mode `observe` found out, for people and as JSON.
#ifndef CULPRIT_REPORT_OBSERVED_TEXT_H
#define CULPRIT_REPORT_OBSERVED_TEXT_H

#include "abi/observed.h"

#include <functional>
#include <string>
#include <vector>

namespace culprit {

/// One function that nothing is known of, at one place that calls it.
struct ObservedFunction {
  std::string function;
  std::string file;
  unsigned line = 0, column = 0;
  uint64_t calls = 0;
  uint64_t changedBytes = 0;
  std::string firstChange; ///< name of the first byte that was different; empty: none was
  bool isPartial = false;
  bool hasOthers = false; ///< calls of other places are among these
  bool isSampled = false; ///< the first calls alone were looked at
};

/// Without functions that the policy table knows. `nameOf` puts the first change into words.
std::vector<ObservedFunction>
readObserved(const abi::ObservedRecord &record,
             const std::function<std::string(const abi::ObservedEntry &)> &nameOf);

/// One sentence for each function, wherever it is called.
std::vector<std::string> describeObserved(const std::vector<ObservedFunction> &functions,
                                          uint64_t lost);
std::string observedAsJson(int status, const std::vector<ObservedFunction> &functions);

} // namespace culprit
#endif
