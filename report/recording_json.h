// Recordings for programs: JSON, see docs/FORMATS.md.
#ifndef CULPRIT_REPORT_RECORDING_JSON_H
#define CULPRIT_REPORT_RECORDING_JSON_H

#include "recording/describe.h"

#include <llvm/Support/JSON.h>
#include <string>

namespace culprit {

/// What `culprit info --json` writes of a recording, and `culprit ls --json` of each.
llvm::json::Object recordingAsJson(const RecordingInfo &info);

} // namespace culprit
#endif
