// libFuzzer target for the reader of recordings: whatever the bytes, it returns or says what is
// wrong. The first byte chooses what they are taken for, so that checksums are not in the way.
#include "recording/log.h"
#include "support/diagnostics.h"

#include <cstddef>
#include <cstdint>

using namespace culprit;

namespace {

void read(uint8_t kind, std::string_view bytes) {
  RecordedLog log;
  switch (kind % 4) {
  case 0:
    parseLog(bytes, "input");
    break;
  case 1:
    noteEvents(bytes, "input", log);
    break;
  case 2:
    RecordingMeta::parse(bytes, "input");
    break;
  default:
    RecordingMeta meta;
    meta.program = "program";
    meta.arguments = {"program"};
    parseLog(packChunk(ChunkKind::Meta, 0, meta.serialise()) +
                 packChunk(ChunkKind::Events, 1, bytes),
             "input");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  try {
    read(data[0], {reinterpret_cast<const char *>(data + 1), size - 1});
  } catch (const Failure &) {
  }
  return 0;
}
