// The file bitcode.prior as bytes. See prior.h.
#include "compiler/embed/prior.h"

// A section of its own, so that programs which pack nothing leave it out.
asm(R"(
  .pushsection .rodata.culprit_prior,"a",@progbits
  .hidden culprit_prior_begin, culprit_prior_end
  .globl culprit_prior_begin, culprit_prior_end
culprit_prior_begin:
  .incbin "compiler/embed/bitcode.prior"
culprit_prior_end:
  .popsection
)");

extern "C" const char culprit_prior_begin[], culprit_prior_end[];

namespace culprit {

llvm::StringRef prior() {
  return {culprit_prior_begin, size_t(culprit_prior_end - culprit_prior_begin)};
}

} // namespace culprit
