// The host's side of a sandbox of namespaces: the kernel confines, this looks on.
#ifndef CULPRIT_SANDBOX_NAMESPACE_CONFINEMENT_H
#define CULPRIT_SANDBOX_NAMESPACE_CONFINEMENT_H

#include "sandbox/confinement.h"

namespace culprit {

class NamespaceConfinement : public Confinement {
public:
  /// `first`: the first process, a child of this one; `memory`: the tmpfs of root.h; `processes`:
  /// the sandbox's /proc.
  NamespaceConfinement(pid_t first, UniqueFd memory, UniqueFd processes);

  std::vector<pid_t> processes() const override;
  void kill(pid_t process) const override;
  void end() override;
  pid_t outside(pid_t process) const override;
  uint64_t memory() const override;
  void answer(Notification &call) override { call.goOn(); }
  std::vector<FileChange> changes() const override;
  UniqueFd open(const std::string &path) const override;

private:
  UniqueFd firstFd_;
  UniqueFd memory_;
  UniqueFd processes_;
  std::string namespaceName_; ///< of its processes, as /proc shows it
};

} // namespace culprit
#endif
