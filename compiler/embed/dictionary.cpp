// The file columns.zstd-dictionary as bytes. See dictionary.h.
#include "compiler/embed/dictionary.h"

// A section of its own, so that programs which do not compress leave it out.
asm(R"(
  .pushsection .rodata.culprit_dictionary,"a",@progbits
  .hidden culprit_dictionary_begin, culprit_dictionary_end
  .globl culprit_dictionary_begin, culprit_dictionary_end
culprit_dictionary_begin:
  .incbin "compiler/embed/columns.zstd-dictionary"
culprit_dictionary_end:
  .popsection
)");

extern "C" const char culprit_dictionary_begin[], culprit_dictionary_end[];

namespace culprit {

llvm::StringRef dictionary() {
  return {culprit_dictionary_begin, size_t(culprit_dictionary_end - culprit_dictionary_begin)};
}

} // namespace culprit
