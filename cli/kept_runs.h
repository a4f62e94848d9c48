// `culprit locate --keep`: a folder where every run leaves what it was and what came of it.
//
//   DIR/1/run.json  what was altered, and how it ended (docs/FORMATS.md)
//   DIR/1/stdout, DIR/1/stderr  what the program wrote there
//   DIR/2/...       the next run
#ifndef CULPRIT_CLI_KEPT_RUNS_H
#define CULPRIT_CLI_KEPT_RUNS_H

#include "sandbox/unique_fd.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace culprit {

/// The folder of one run.
class KeptRun {
public:
  /// Makes the folder. Throws Failure when it, or a file in it, cannot be made.
  explicit KeptRun(std::filesystem::path folder);

  /// For the program's standard output and error.
  int output() const { return output_.get(); }
  int error() const { return error_.get(); }

  void describe(std::string_view json) const;

private:
  UniqueFd create(const char *name) const;

  std::filesystem::path folder_;
  UniqueFd output_;
  UniqueFd error_;
};

class KeptRuns {
public:
  /// Makes the folder. Throws Failure when that is not possible, or when there is something in it.
  explicit KeptRuns(std::filesystem::path folder);

  KeptRun next() { return KeptRun(folder_ / std::to_string(++count_)); }
  /// The folder of the last run, for one that takes its place.
  KeptRun again() { return KeptRun(folder_ / std::to_string(count_)); }

private:
  std::filesystem::path folder_;
  unsigned count_ = 0;
};

} // namespace culprit
#endif
