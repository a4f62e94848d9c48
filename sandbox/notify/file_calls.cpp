// See file_calls.h.
#include "sandbox/notify/file_calls.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>

namespace culprit {

void answerWith(const Notification &call, int error) {
  if (error == 0)
    call.succeed(0);
  else
    call.fail(error);
}

bool FileCalls::answer(Notification &call) {
  caller_ = callerOf(call.thread());
  return answerOpen(call) || answerLook(call) || answerNames(call) || answerFacts(call);
}

Spot FileCalls::spot(const Notification &call, int folder, unsigned path, bool followsLast,
                     bool isEmptyAllowed) {
  int base = folder < 0 ? AT_FDCWD : call.intArgument(static_cast<unsigned>(folder));
  std::optional<std::string> text = call.text(call.argument(path));
  if (!text)
    return {call.argument(path) == 0 ? EFAULT : ENAMETOOLONG, "", nullptr, nullptr, ""};
  if (text->empty() && isEmptyAllowed)
    return base == AT_FDCWD ? paths_.resolve(caller_, base, ".", true)
                            : paths_.ofDescriptor(caller_, base);
  return paths_.resolve(caller_, base, *text, followsLast);
}

NodePointer FileCalls::keep(const Spot &spot) {
  if (spot.node->data.isOpen() || spot.path.empty())
    return spot.node->data.isOpen() ? spot.node : tree_.root();
  NodePointer kept = tree_.keep(spot.path);
  return kept ? kept : spot.node;
}

/// As the kernel would decide for this user. What is outside and unchanged is asked there.
bool FileCalls::mayWrite(const Node &node) const {
  uid_t user = geteuid();
  if (user == 0)
    return true;
  bool isOutside = !node.lower.empty() && !node.data.isOpen() && node.children.empty();
  if (isOutside)
    return faccessat(AT_FDCWD, node.lower.c_str(), W_OK, AT_EACCESS) == 0;
  mode_t bit = node.facts.st_uid == user        ? S_IWUSR
               : node.facts.st_gid == getegid() ? S_IWGRP
                                                : S_IWOTH;
  return (node.facts.st_mode & bit) != 0;
}

bool FileCalls::isReal(const std::string &path) const {
  return std::any_of(
      options_.folders.begin(), options_.folders.end(),
      [&](const std::filesystem::path &folder) { return path.starts_with(folder.string() + "/"); });
}

} // namespace culprit
