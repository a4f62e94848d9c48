// `culprit info`: what a program carries.
#include "cli/command.h"
#include "report/program_info.h"
#include "support/output.h"

namespace culprit {
namespace fs = std::filesystem;
namespace {

class Info : public Command {
public:
  const char *name() const override { return "info"; }
  const char *summary() const override {
    return "what a program carries: modules, lines, link command";
  }
  const char *details() const override {
    return "Reads the modules back out of an executable built with culprit-cc and lists them with\n"
           "their source files, functions and sites, the parts without bitcode, and the command\n"
           "that linked it. Culprit-built shared libraries that it needs are listed too.";
  }
  void addOptions(CLI::App &app) override {
    app.add_option("program", program_, "the executable")->required()->type_name("BIN");
  }

  int run(const CommonOptions &common) override {
    ProgramInfo info = describeProgram(
        loadProgram(fs::exists(program_) ? fs::path(program_) : findProgram(program_)));
    writeReport(common.json, programInfoAsJson(info));
    if (common.json != "-")
      writeOut(printProgramInfo(info));
    return 0;
  }

private:
  std::string program_;
};

Info info;
const CommandRegistration registration(info);

} // namespace
} // namespace culprit
