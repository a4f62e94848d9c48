// Reads one entry of section `.culprit.bc` from standard input and writes its payload to standard
// output: for scripts that take such sections apart themselves.
#include "compiler/embed/entry.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdio>
#include <cstring>

int main() {
  auto buffer = llvm::MemoryBuffer::getSTDIN();
  culprit::abi::EntryHeader header;
  if (!buffer || (*buffer)->getBufferSize() < sizeof header)
    return 1;
  llvm::StringRef entry = (*buffer)->getBuffer();
  std::memcpy(&header, entry.data(), sizeof header);
  auto payload = culprit::entryPayload(header, entry.drop_front(sizeof header));
  if (!payload)
    return 1;
  return fwrite(payload->data(), 1, payload->size(), stdout) == payload->size() ? 0 : 1;
}
