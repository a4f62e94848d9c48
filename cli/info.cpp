// `culprit info`: what a program carries.
#include "cli/command.h"
#include "compiler/loader/libtool_script.h"
#include "compiler/twin/build.h"
#include "recording/folders.h"
#include "recording/log.h"
#include "report/externals_info.h"
#include "report/json.h"
#include "report/program_info.h"
#include "report/recording_json.h"
#include "support/output.h"

namespace culprit {
namespace fs = std::filesystem;
namespace {

class Info : public Command {
public:
  const char *name() const override { return "info"; }
  const char *summary() const override { return "what a program or a recording carries"; }
  const char *details() const override {
    return "Reads the modules back out of an executable built with culprit-cc and lists them with\n"
           "their source files, functions and sites, the parts without bitcode, and the command\n"
           "that linked it. Culprit-built shared libraries that it needs are listed too.\n\n"
           "With --layout, prints how its memory is arranged, as 'culprit run --layout' takes it.\n"
           "With --externals, lists the functions that it uses and that were not compiled with "
           "it,\n"
           "and how each is treated.\n\n"
           "Of a recording, says what it is of, how it ended and how much it holds. Without a "
           "name,\n"
           "that is the latest recording.";
  }
  void addOptions(CLI::App &app) override {
    app.add_option(
           "program", program_,
           "the executable, or a recording: its folder, or its name as 'culprit ls' shows it")
        ->type_name("BIN");
    app.add_flag("--layout", layout_, "print the default layout of its memory, as JSON");
    app.add_flag("--externals", externals_, "list the functions outside of it that it uses");
  }

  int run(const CommonOptions &common) override {
    if (isRecording()) {
      RecordingInfo info = describeRecording(findRecording(program_));
      writeReport(common.json, jsonText(recordingAsJson(info)));
      if (common.json != "-")
        writeOut(printRecordingInfo(info));
      return 0;
    }
    std::string name = fs::exists(program_) ? fs::absolute(program_).string() : program_;
    Program program = loadProgram(findProgram(throughLibtoolScript(name)));
    if (layout_) {
      Catalog catalog = makeCatalog(program, {findMode("plain"), common.jobs}, Cache::open());
      writeOut(layoutAsJson(catalog.defaultLayout()));
      return 0;
    }
    if (externals_) {
      ExternalsInfo info = describeExternals(program);
      writeReport(common.json, externalsInfoAsJson(info));
      if (common.json != "-")
        writeOut(printExternalsInfo(info));
      return 0;
    }
    ProgramInfo info = describeProgram(program);
    writeReport(common.json, programInfoAsJson(info));
    if (common.json != "-")
      writeOut(printProgramInfo(info));
    return 0;
  }

private:
  bool isRecording() const {
    if (program_.empty() && (layout_ || externals_))
      failUsage("'{}' is of a program, and none is given", layout_ ? "--layout" : "--externals");
    return program_.empty() || fs::is_directory(program_) ||
           (!fs::exists(program_) && fs::exists(logIn(recordingsFolder() / program_)));
  }

  std::string program_;
  bool layout_ = false;
  bool externals_ = false;
};

Info info;
const CommandRegistration registration(info);

} // namespace
} // namespace culprit
