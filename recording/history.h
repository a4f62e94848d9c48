// What a recorded program had of the system at a point of its recording, and what it read later:
// what it takes to leave the recording there. Made from the events and from the paths that a replay
// has found out (abi::NotedPath).
#ifndef CULPRIT_RECORDING_HISTORY_H
#define CULPRIT_RECORDING_HISTORY_H

#include "recording/known_file.h"
#include "recording/log.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace culprit {

/// Where to leave: when so many counted points were passed and so many events were replayed.
struct LeavePoint {
  uint64_t clock = 0;
  uint64_t events = 0;
};

/// What a descriptor leads to.
struct OpenThing {
  enum class Kind {
    Input,       ///< the standard input
    Output,      ///< standard output or error
    File,        ///< has a path
    Stream,      ///< pipe, socket, or what was open at the start
    Unsupported, ///< cannot be had again
  };
  Kind kind = Kind::Stream;
  std::string what; ///< in words
  std::string path; ///< of a file; empty: not known
  uint64_t position = 0;
  bool appends = false;
  int pipe = 0; ///< number of the pipe it is an end of, 0: none
  bool isWriteEnd = false;
  uint64_t moved = 0; ///< bytes through this end of a pipe until the point
  std::string rest;   ///< bytes that were read from it behind the point
};

struct History {
  uint64_t pointEvent = 0; ///< number of the first event behind the point
  uint64_t calls = 0;      ///< before the point
  uint64_t lastClock = 0;
  bool isReached = false;                         ///< the recording has the point
  std::map<int, std::shared_ptr<OpenThing>> open; ///< at the point
  std::set<int> children;                         ///< that it had not waited for
  std::set<int> timers;                           ///< of timer_create
  int pendingSignal = 0;  ///< that it was sending itself, and had not got yet; 0: none
  std::string sharedFile; ///< that it had mapped to write to it; or empty
  bool hasForked = false;
  bool isInputFile = false;               ///< standard input can be read from anywhere in it
  std::map<std::string, KnownFile> files; ///< by path, as when the recording began
};

using NotedPaths = std::map<std::pair<uint64_t, uint64_t>, std::string>; ///< by event and argument

/// `bytes`: abi::NotedPath one after the other.
NotedPaths parsePaths(const std::string &bytes);

History historyOf(const RecordedLog &log, const NotedPaths &paths, const LeavePoint &point);

} // namespace culprit
#endif
