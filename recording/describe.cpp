// See describe.h.
#include "recording/describe.h"

#include "recording/folders.h"
#include "recording/log.h"
#include "recording/stop_text.h"

#include <cstring>
#include <fmt/chrono.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

struct Counts {
  uint64_t calls = 0;
  uint64_t signals = 0;
  uint64_t clock = 0;
};

Counts countIn(const std::string &events) {
  Counts counts;
  for (size_t at = 0; at < events.size();) {
    abi::Event event;
    std::memcpy(&event, events.data() + at, sizeof event);
    counts.calls += event.kind == abi::EventKind::Call;
    counts.signals += event.kind == abi::EventKind::Signal;
    counts.clock = event.clock;
    at += event.size;
  }
  return counts;
}

std::string endOf(const RecordedLog &log) {
  if (const abi::StopEvent *stop = stopIn(log.events))
    return "cannot be replayed: " + describeStop(*stop);
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

std::string describeRecording(const fs::path &folder) {
  RecordedLog log = readLog(folder);
  Counts counts = countIn(log.events);
  std::string text = fmt::format("program    {}\narguments ", log.meta.program);
  for (const std::string &argument : log.meta.arguments)
    text += " " + argument;
  text += fmt::format("\nin         {}\n", log.meta.folder);
  text += fmt::format("recorded   {:%Y-%m-%d %H:%M:%S}\n",
                      fmt::localtime(static_cast<time_t>(log.meta.time)));
  if (!log.checkpoint.empty())
    text +=
        "start      in the middle: what came before was dropped, to keep the size in its limit\n";
  text += fmt::format("end        {}\n", endOf(log));
  text += fmt::format("events     {}: {} system calls, {} signals; {} counted points\n",
                      log.eventCount, counts.calls, counts.signals, counts.clock);
  text += fmt::format("size       {} bytes of events, {} KB on disk\n", log.events.size(),
                      (sizeOfRecording(folder) + 1023) / 1024);
  text += fmt::format("processor  {}\n", log.meta.processor);
  return text;
}

} // namespace culprit
