// `culprit ls`: the recordings of this user.
#include "cli/command.h"
#include "recording/folders.h"
#include "report/json.h"
#include "report/recording_json.h"
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

  int run(const CommonOptions &common) override {
    llvm::json::Array array;
    std::string lines;
    for (const fs::path &folder : listRecordings()) {
      try {
        RecordingInfo info = describeRecording(folder);
        array.push_back(recordingAsJson(info));
        lines += lineFor(info);
      } catch (const Failure &failure) {
        array.push_back(llvm::json::Object{{"folder", jsonString(folder.string())},
                                           {"error", jsonString(failure.what())}});
        lines += fmt::format("{}  {}\n", folder.filename().string(), failure.what());
      }
    }
    writeReport(common.json, jsonText(llvm::json::Object{{"recordings", std::move(array)}}));
    if (common.json != "-")
      writeOut(lines);
    return 0;
  }

private:
  static std::string lineFor(const RecordingInfo &info) {
    std::string command;
    for (const std::string &argument : info.meta.arguments)
      command += " " + argument;
    std::string end = info.end ? fmt::format("status {}", info.end->status) : "cut off";
    return fmt::format("{}  {:%Y-%m-%d %H:%M:%S}  {:>7} KB  {:>10} {}\n",
                       info.folder.filename().string(),
                       fmt::localtime(static_cast<time_t>(info.meta.time)),
                       (info.diskBytes + 1023) / 1024, end, command);
  }
};

List list;
const CommandRegistration registration(list);

} // namespace
} // namespace culprit
