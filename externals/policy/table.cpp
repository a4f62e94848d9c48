// The file policy.txt as bytes of the tool. See policy.h.
#include "externals/policy/policy.h"

asm(R"(
  .pushsection .rodata.culprit_policy,"a",@progbits
  .hidden culprit_policy_begin, culprit_policy_end
  .globl culprit_policy_begin, culprit_policy_end
culprit_policy_begin:
  .incbin "externals/policy.txt"
culprit_policy_end:
  .popsection
)");

extern "C" const char culprit_policy_begin[], culprit_policy_end[];

namespace culprit {

const Policy &policy() {
  static const Policy table = Policy::parse(
      {culprit_policy_begin, static_cast<size_t>(culprit_policy_end - culprit_policy_begin)},
      "externals/policy.txt");
  return table;
}

} // namespace culprit
