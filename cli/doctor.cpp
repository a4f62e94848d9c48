// `culprit doctor`: what works on this machine, what does not, and what to do about it.
#include "cli/command.h"
#include "cli/machine.h"
#include "report/json.h"
#include "support/output.h"

#include <algorithm>

namespace culprit {
namespace {

bool isWell(const std::vector<MachineCheck> &checks) {
  return std::all_of(checks.begin(), checks.end(),
                     [](const MachineCheck &check) { return check.works || !check.isNeeded; });
}

std::string asText(const std::vector<MachineCheck> &checks) {
  std::string text;
  for (const MachineCheck &check : checks) {
    const char *word = check.works ? "yes" : check.isNeeded ? "NO" : "no";
    text += fmt::format("{:<4}{}: {}\n", word, check.what, check.detail);
    if (!check.next.empty())
      text += fmt::format("    {}: {}\n", check.isNeeded ? "needed" : "to have it", check.next);
  }
  return text + (isWell(checks) ? "All that culprit needs works here.\n"
                                : "Something that culprit needs does not work here.\n");
}

std::string asJson(const std::vector<MachineCheck> &checks) {
  llvm::json::Object works;
  llvm::json::Array details;
  for (const MachineCheck &check : checks) {
    works[check.name] = check.works;
    details.push_back(llvm::json::Object{{"name", check.name},
                                         {"what", check.what},
                                         {"works", check.works},
                                         {"needed", check.isNeeded},
                                         {"detail", jsonString(check.detail)},
                                         {"next", check.next}});
  }
  return jsonText(llvm::json::Object{
      {"ok", isWell(checks)}, {"works", std::move(works)}, {"checks", std::move(details)}});
}

class Doctor : public Command {
public:
  const char *name() const override { return "doctor"; }
  const char *summary() const override { return "what works on this machine, and what does not"; }
  const char *details() const override {
    return "Tries what culprit builds on: the compilers, the cache, memory at fixed addresses, "
           "and\n"
           "the two ways of the sandbox with what they need of the kernel. Says of what does not\n"
           "work why, and what to do about it.\n\n"
           "Exit status: 0 if all that culprit needs works, else 2.";
  }
  void addOptions(CLI::App &) override {}

  int run(const CommonOptions &common) override {
    std::vector<MachineCheck> checks = checkMachine();
    writeReport(common.json, asJson(checks));
    if (common.json != "-")
      writeOut(asText(checks));
    return static_cast<int>(isWell(checks) ? ExitCode::Done : ExitCode::Usage);
  }
};

Doctor doctor;
const CommandRegistration registration(doctor);

} // namespace
} // namespace culprit
