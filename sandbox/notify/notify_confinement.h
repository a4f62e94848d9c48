// The host's side of a sandbox without namespaces: whatever could change something outside is
// answered here, from a tree of files in memory, and processes are known by a mark.
#ifndef CULPRIT_SANDBOX_NOTIFY_NOTIFY_CONFINEMENT_H
#define CULPRIT_SANDBOX_NOTIFY_NOTIFY_CONFINEMENT_H

#include "sandbox/confinement.h"
#include "sandbox/notify/file_calls.h"
#include "sandbox/notify/members.h"

namespace culprit {

class NotifyConfinement : public Confinement {
public:
  NotifyConfinement(const SandboxOptions &options, const rlimit &mark, pid_t program,
                    const std::string &folder);

  std::vector<pid_t> processes() const override { return members_.alive(); }
  void kill(pid_t process) const override;
  void end() override;
  pid_t outside(pid_t process) const override { return process; }
  uint64_t memory() const override;
  void answer(Notification &call) override;
  bool mayExecute(const Notification &call) override;
  std::vector<FileChange> changes() const override { return files_.tree().changes(); }
  UniqueFd open(const std::string &path) const override;

private:
  void answerSignal(const Notification &call);

  Members members_;
  pid_t program_;
  std::string folder_; ///< that the kernel has as working folder of all processes
  FileCalls files_;
};

} // namespace culprit
#endif
