// The list of modes; see mode.h.
#include "compiler/modes/mode.h"

namespace culprit {
namespace {
std::vector<const Mode *> &registered() {
  static std::vector<const Mode *> modes;
  return modes;
}
} // namespace

ModeRegistration::ModeRegistration(const Mode &mode) {
  registered().push_back(&mode);
}

const std::vector<const Mode *> &allModes() {
  return registered();
}

const Mode *findMode(const std::string &name) {
  for (const Mode *mode : registered())
    if (name == mode->name())
      return mode;
  return nullptr;
}

} // namespace culprit
