// See recording_json.h.
#include "report/recording_json.h"

#include "report/json.h"

namespace culprit {

llvm::json::Object recordingAsJson(const RecordingInfo &info) {
  using llvm::json::Value;
  llvm::json::Array arguments;
  for (const std::string &argument : info.meta.arguments)
    arguments.push_back(jsonString(argument));
  return llvm::json::Object{
      {"folder", jsonString(info.folder.string())},
      {"program", jsonString(info.meta.program)},
      {"arguments", std::move(arguments)},
      {"working_folder", jsonString(info.meta.folder)},
      {"recorded", static_cast<int64_t>(info.meta.time)},
      {"starts_in_middle", info.startsInMiddle},
      {"status", info.end ? Value(info.end->status) : Value(nullptr)},
      {"signal", info.end && info.end->signal != 0 ? Value(info.end->signal) : Value(nullptr)},
      {"ending", info.ending},
      {"replayable", info.isReplayable},
      {"events", static_cast<int64_t>(info.events)},
      {"system_calls", static_cast<int64_t>(info.calls)},
      {"signals", static_cast<int64_t>(info.signals)},
      {"counted_points", static_cast<int64_t>(info.clock)},
      {"event_bytes", static_cast<int64_t>(info.eventBytes)},
      {"disk_bytes", static_cast<int64_t>(info.diskBytes)},
      {"processor", jsonString(info.meta.processor)}};
}

} // namespace culprit
