// Results of `culprit triage` that are kept, so that a call that was interrupted goes on where it
// was: a folder with one file per content of an input, which is the JSON of `culprit locate`.
#ifndef CULPRIT_CLI_TRIAGE_STATE_H
#define CULPRIT_CLI_TRIAGE_STATE_H

#include "analysis/triage/located.h"

namespace culprit {

class TriageState {
public:
  /// The folder is made. `key` stands for all that decides the results besides the input; results
  /// of another key are none. Throws Failure when the folder cannot be made.
  TriageState(const std::filesystem::path &folder, const std::string &key);

  /// Where results are that the user has named no folder for: $XDG_STATE_HOME/culprit/triage, else
  /// ~/.local/state/culprit/triage. Throws Failure when neither is known.
  static std::filesystem::path usualFolder();

  const std::filesystem::path &folder() const { return folder_; }

  /// What is known of an input of that content.
  std::optional<Located> find(const std::string &hash) const;
  /// `json` is of `culprit locate`. Atomic: who is killed leaves the whole result or none.
  void store(const std::string &hash, const std::string &json) const;

private:
  std::filesystem::path fileOf(const std::string &hash) const;

  std::filesystem::path folder_;
};

} // namespace culprit
#endif
