// Runs a program so that nothing it does reaches the outside: docs/SANDBOX.md says what that means.
//
//   std::unique_ptr<Sandbox> sandbox = Sandbox::start(command, options);
//   SandboxEnd end = sandbox->wait();
//   for (const FileChange &change : sandbox->changes()) ...
//
// Several can run at a time, each used by one thread: the one that starts it must live until it has
// ended, for the kernel ends the program with the thread that is its parent.
#ifndef CULPRIT_SANDBOX_SANDBOX_H
#define CULPRIT_SANDBOX_SANDBOX_H

#include "sandbox/supervisor.h"

#include <memory>

namespace culprit {

struct SandboxEnd {
  int status = 0; ///< exit status, or 128 + signal
  int signal = 0; ///< that it died of, or 0
  SandboxLimit limit = SandboxLimit::None;
};

class Sandbox {
public:
  /// Throws Failure with ExitCode::Refused, which says what is missing, when this machine has no
  /// way to confine the program, and with ExitCode::Usage when the program cannot be executed.
  static std::unique_ptr<Sandbox> start(const SandboxedCommand &command,
                                        const SandboxOptions &options);
  ~Sandbox();
  Sandbox(const Sandbox &) = delete;
  Sandbox &operator=(const Sandbox &) = delete;

  SandboxWay way() const { return way_; }
  /// The program is a child of this process; who waits for it by itself calls endAllBut afterwards.
  pid_t program() const { return program_; }
  /// The number that the program has for itself.
  pid_t programInside() const { return way_ == SandboxWay::Namespace ? kProgramNumber : program_; }
  /// The number here of a process that has that one inside; 0 if it is no child of this process.
  pid_t outside(pid_t inside) const { return confinement_->outside(inside); }

  /// Waits for the program, ends what it has left running, and passes all output on.
  SandboxEnd wait();
  /// Ends all processes but that one (0: none is kept), and passes all output on.
  void endAllBut(pid_t inside);
  SandboxLimit limit() const { return supervisor_->limit(); }

  /// After the end: what the run did to files, by path, and what a file holds.
  std::vector<FileChange> changes() const { return confinement_->changes(); }
  UniqueFd open(const std::string &path) const { return confinement_->open(path); }

private:
  friend class SandboxStarter;
  static constexpr pid_t kProgramNumber = 2;

  Sandbox(SandboxWay way, const SandboxOptions &options);
  static std::unique_ptr<Sandbox> startIn(SandboxWay way, const SandboxedCommand &command,
                                          const SandboxOptions &options);
  void endAll();

  SandboxWay way_;
  SandboxOptions options_;
  SandboxStreams streams_;
  pid_t program_ = 0;
  UniqueFd programFd_;
  UniqueFd lifeline_;
  pid_t keeper_ = 0; ///< see notify/keeper.h
  std::unique_ptr<Confinement> confinement_;
  std::unique_ptr<Supervisor> supervisor_;
};

} // namespace culprit
#endif
