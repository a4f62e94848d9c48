// The program's standard input, kept so that every run gets all of it.
#ifndef CULPRIT_CLI_KEPT_INPUT_H
#define CULPRIT_CLI_KEPT_INPUT_H

#include "sandbox/unique_fd.h"

#include <string_view>

namespace culprit {

class KeptInput {
public:
  /// Reads standard input to its end, unless it is a terminal or closed.
  KeptInput();
  /// These bytes in its place.
  explicit KeptInput(std::string_view bytes);

  /// A file of its own with the kept bytes, at its start; standard input itself if nothing is kept.
  UniqueFd fresh() const;

private:
  UniqueFd kept_;
};

} // namespace culprit
#endif
