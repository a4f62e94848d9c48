// Mode `plain`: the program on flat memory, nothing added. What every other mode is measured
// against.
#include "compiler/modes/mode.h"

namespace culprit {
namespace {

class Plain : public Mode {
public:
  const char *name() const override { return "plain"; }
};

const Plain plain;
const ModeRegistration registration(plain);

} // namespace
} // namespace culprit
