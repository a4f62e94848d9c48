// `culprit ls`: the recordings of this user.
#include "cli/command.h"
#include "recording/folders.h"
#include "recording/log.h"
#include "support/output.h"

#include <fmt/chrono.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

class List : public Command {
public:
  const char *name() const override { return "ls"; }
  const char *summary() const override { return "list the recordings"; }
  const char *details() const override {
    return "Lists the recordings in $XDG_STATE_HOME/culprit/recordings, the latest first: name,\n"
           "time, size, how the program ended, and its command.";
  }
  void addOptions(CLI::App &) override {}

  int run(const CommonOptions &) override {
    for (const fs::path &folder : listRecordings())
      writeOut(lineFor(folder));
    return 0;
  }

private:
  static std::string lineFor(const fs::path &folder) {
    std::string name = folder.filename().string();
    try {
      RecordedLog log = readLog(folder);
      std::string command;
      for (const std::string &argument : log.meta.arguments)
        command += " " + argument;
      std::string end = log.end ? fmt::format("status {}", log.end->status) : "cut off";
      return fmt::format("{}  {:%Y-%m-%d %H:%M:%S}  {:>7} KB  {:>10} {}\n", name,
                         fmt::localtime(static_cast<time_t>(log.meta.time)),
                         (sizeOfRecording(folder) + 1023) / 1024, end, command);
    } catch (const Failure &failure) {
      return fmt::format("{}  {}\n", name, failure.what());
    }
  }
};

List list;
const CommandRegistration registration(list);

} // namespace
} // namespace culprit
