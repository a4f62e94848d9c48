// See describe.h.
#include "recording/describe.h"

#include "recording/folders.h"
#include "recording/stop_text.h"

#include <cstring>
#include <fmt/chrono.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

void count(std::string_view events, RecordingInfo &info) {
  for (size_t at = 0; at < events.size();) {
    abi::Event event;
    std::memcpy(&event, events.data() + at, sizeof event);
    info.calls += event.kind == abi::EventKind::Call;
    info.signals += event.kind == abi::EventKind::Signal;
    info.clock = event.clock;
    at += event.size;
  }
}

std::string endOf(const RecordedLog &log) {
  if (log.stop)
    return "cannot be replayed: " + describeStop(*log.stop);
  if (!log.end)
    return "cut off: its recorder was ended before the program";
  if (log.end->isCut)
    return fmt::format("not complete: its last events could not be written; the program ended with "
                       "status {}",
                       log.end->status);
  if (log.end->isExecuted)
    return "cannot be replayed to its end: the program executed another program in its own place";
  if (log.end->signal != 0)
    return fmt::format("died of signal {} ({})", log.end->signal, strsignal(log.end->signal));
  return fmt::format("exited with status {}", log.end->status);
}

} // namespace

RecordingInfo describeRecording(const fs::path &folder) {
  RecordedLog log = readLog(folder);
  RecordingInfo info;
  info.folder = folder;
  info.startsInMiddle = !log.checkpoint.empty();
  info.end = log.end;
  info.ending = endOf(log);
  info.isReplayable = !log.stop;
  info.events = log.eventCount;
  for (const EventBytes::Piece &piece : log.events.pieces())
    count(log.events.bytes(piece), info);
  info.eventBytes = log.events.size();
  info.diskBytes = sizeOfRecording(folder);
  info.meta = std::move(log.meta);
  return info;
}

std::string printRecordingInfo(const RecordingInfo &info) {
  std::string text = fmt::format("program    {}\narguments ", info.meta.program);
  for (const std::string &argument : info.meta.arguments)
    text += " " + argument;
  text += fmt::format("\nin         {}\n", info.meta.folder);
  text += fmt::format("recorded   {:%Y-%m-%d %H:%M:%S}\n",
                      fmt::localtime(static_cast<time_t>(info.meta.time)));
  if (info.startsInMiddle)
    text +=
        "start      in the middle: what came before was dropped, to keep the size in its limit\n";
  text += fmt::format("end        {}\n", info.ending);
  text += fmt::format("events     {}: {} system calls, {} signals; {} counted points\n",
                      info.events, info.calls, info.signals, info.clock);
  text += fmt::format("size       {} bytes of events, {} KB on disk\n", info.eventBytes,
                      (info.diskBytes + 1023) / 1024);
  text += fmt::format("processor  {}\n", info.meta.processor);
  return text;
}

} // namespace culprit
