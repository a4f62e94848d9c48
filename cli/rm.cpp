// `culprit rm`: removes recordings.
#include "cli/command.h"
#include "recording/folders.h"
#include "report/json.h"

namespace culprit {
namespace {

class Remove : public Command {
public:
  const char *name() const override { return "rm"; }
  const char *summary() const override { return "remove recordings"; }
  const char *details() const override {
    return "Removes the named recordings, or all that 'culprit ls' lists with --all. Removes\n"
           "nothing that is no recording.";
  }
  void addOptions(CLI::App &app) override {
    app.add_option("recordings", names_, "folders, or names as 'culprit ls' shows them")
        ->type_name("DIR");
    app.add_flag("--all", all_, "all that 'culprit ls' lists");
  }

  int run(const CommonOptions &common) override {
    if (names_.empty() && !all_)
      failUsage("nothing to remove; name recordings, or say --all");
    llvm::json::Array removed;
    auto remove = [&](const std::filesystem::path &folder) {
      removeRecording(folder);
      removed.push_back(jsonString(folder.string()));
    };
    for (const std::string &name : names_)
      remove(findRecording(name));
    if (all_)
      for (const std::filesystem::path &folder : listRecordings())
        remove(folder);
    writeReport(common.json, jsonText(llvm::json::Object{{"removed", std::move(removed)}}));
    return 0;
  }

private:
  std::vector<std::string> names_;
  bool all_ = false;
};

Remove removeCommand;
const CommandRegistration registration(removeCommand);

} // namespace
} // namespace culprit
