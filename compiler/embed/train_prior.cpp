// Makes bitcode.prior from modules: culprit-train-prior PRIOR MODULE...
//
// The modules are bitcode as the plugin stores it (libexec/culprit/unpack writes it). Give those of
// many programs, C and C++, at -O0 and -O2, without the programs that sizes are measured on; large
// ones are left out, since small ones need the prior most. Entries written with another prior
// cannot be read after the change.
#include "compiler/embed/bitcode_pack.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <vector>

int main(int argc, char **argv) {
  constexpr size_t kLargest = 400000;
  std::vector<std::string> modules;
  for (int i = 2; i < argc; ++i) {
    auto buffer = llvm::MemoryBuffer::getFile(argv[i]);
    if (buffer && (*buffer)->getBufferSize() <= kLargest)
      modules.push_back((*buffer)->getBuffer().str());
  }
  // What comes last counts most, so no program must be last as a whole.
  std::sort(modules.begin(), modules.end());
  std::shuffle(modules.begin(), modules.end(), std::mt19937(1));
  std::string prior = culprit::priorFrom(modules);
  if (argc < 3 ||
      !std::ofstream(argv[1], std::ios::binary).write(prior.data(), std::streamsize(prior.size())))
    return 1;
  std::printf("%zu bytes from %zu modules\n", prior.size(), modules.size());
}
