// The failure record of one run, as the host holds it.
#ifndef CULPRIT_CLI_FAILURE_FILE_H
#define CULPRIT_CLI_FAILURE_FILE_H

#include "abi/failure.h"

#include <string>

namespace culprit {

/// Memory that the program finds under a path for as long as this lives; nothing is left on disk.
class FailureFile {
public:
  /// Throws Failure when the system has no memory for it.
  FailureFile();
  ~FailureFile();
  FailureFile(const FailureFile &) = delete;
  FailureFile &operator=(const FailureFile &) = delete;

  const std::string &path() const { return path_; }
  abi::FailureRecord &record() const { return *record_; }

private:
  int fd_ = -1;
  std::string path_; ///< names this process, not the one that reads it
  abi::FailureRecord *record_ = nullptr;
};

} // namespace culprit
#endif
