// What is known about a recording before its first event: the program, how it was started, on what
// machine. A list of names and values, both any bytes.
#ifndef CULPRIT_RECORDING_META_H
#define CULPRIT_RECORDING_META_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

struct RecordingMeta {
  std::string program; ///< its path
  std::string started; ///< the name that it was started by
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::string folder;    ///< working folder
  std::string build;     ///< identity of the analysis build
  std::string processor; ///< see processor.h
  uint64_t stackLimit = 0;
  uint64_t memoryLimit = 0;
  uint64_t time = 0; ///< seconds since 1970

  std::string serialise() const;
  /// Throws Failure when the bytes are no such list; `name` is for the message.
  static RecordingMeta parse(std::string_view bytes, const std::string &name);
};

} // namespace culprit
#endif
