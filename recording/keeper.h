// Saves the end of a recording whose recorder is killed.
//
// The last events are in memory that recorder and program share, and would be gone with them. So a
// second process of the recorder's holds that memory, does nothing, and is told by a pipe that the
// recorder has ended. If it ended without a word, the keeper waits for the program, which the
// kernel ends with its recorder, and writes what is left. Nothing is lost then, whenever the kill
// comes and however loaded the machine is. If both are killed, what is lost is what was not drained
// yet: see recorder.h.
#ifndef CULPRIT_RECORDING_KEEPER_H
#define CULPRIT_RECORDING_KEEPER_H

#include "recording/log_writer.h"
#include "recording/ring.h"

#include <sys/types.h>

namespace culprit {

class Keeper {
public:
  /// Starts the process; where there can be none, the recording does without.
  Keeper(std::filesystem::path folder, const Ring &ring, LogWriter &log);
  /// The recording is complete: the process ends.
  ~Keeper();
  Keeper(const Keeper &) = delete;
  Keeper &operator=(const Keeper &) = delete;

  void noteProgram(pid_t program) { shared_->program = program; }

private:
  struct Shared {
    pid_t program;
  };

  [[noreturn]] void keep(int pipe, const Ring &ring, LogWriter &log) const;
  void saveRest(const Ring &ring, LogWriter &log) const;
  bool saveOnce(const Ring &ring, LogWriter &log) const;

  std::filesystem::path folder_;
  Shared *shared_ = nullptr;
  pid_t process_ = -1;
  int pipe_ = -1; ///< closed without a byte: the recorder was killed
};

} // namespace culprit
#endif
