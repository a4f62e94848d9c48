// See triage_state.h.
#include "cli/triage_state.h"

#include "support/diagnostics.h"
#include "support/files.h"

#include <cstdlib>

namespace culprit {
namespace fs = std::filesystem;

TriageState::TriageState(const fs::path &folder, const std::string &key) : folder_(folder / key) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    failUsage("cannot make the folder '{}' for results: {}; name another one with --state",
              folder_.string(), error.message());
}

fs::path TriageState::usualFolder() {
  const char *state = std::getenv("XDG_STATE_HOME");
  const char *home = std::getenv("HOME");
  if (state && *state == '/')
    return fs::path(state) / "culprit" / "triage";
  if (!home || !*home)
    failUsage("there is no place for results: neither XDG_STATE_HOME nor HOME is set; set one, or "
              "name a folder with --state");
  return fs::path(home) / ".local" / "state" / "culprit" / "triage";
}

std::optional<Located> TriageState::find(const std::string &hash) const {
  std::error_code error;
  if (!fs::is_regular_file(fileOf(hash), error))
    return std::nullopt;
  return parseLocated(readFile(fileOf(hash)));
}

void TriageState::store(const std::string &hash, const std::string &json) const {
  writeFileAtomically(fileOf(hash), json);
}

fs::path TriageState::fileOf(const std::string &hash) const {
  return folder_ / (hash + ".json");
}

} // namespace culprit
