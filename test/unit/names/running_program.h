// A test program: compiled with culprit-cc, run up to its finish(), its memory open to be read.
#ifndef CULPRIT_TEST_UNIT_NAMES_RUNNING_PROGRAM_H
#define CULPRIT_TEST_UNIT_NAMES_RUNNING_PROGRAM_H

#include "abi/failure.h"
#include "analysis/names/memory_reader.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

/// One line of the program's output.
struct Said {
  uint64_t address;
  std::string text;
};

class RunningProgram : public MemoryReader {
public:
  /// `source` is a file of programs/.
  explicit RunningProgram(const std::string &source, const std::string &flags = "-O0");
  ~RunningProgram() override;
  RunningProgram(const RunningProgram &) = delete;
  RunningProgram &operator=(const RunningProgram &) = delete;

  bool read(uint64_t address, void *bytes, size_t size) const override;
  const std::filesystem::path &path() const { return path_; }
  const std::vector<Said> &said() const { return said_; }
  const std::vector<Said> &threadLocals() const { return threadLocals_; }
  /// A record with the blocks that are nearest to an address.
  abi::FailureRecord recordFor(uint64_t address) const;

private:
  void run();
  void readLine(const std::string &line);

  std::filesystem::path path_;
  std::vector<Said> said_, threadLocals_;
  std::vector<abi::FailureBlock> blocks_;
  int process_ = -1, memory_ = -1, input_ = -1;
};

/// The folder of the tools, beside which this test lies.
std::filesystem::path toolFolder();
/// Compiles a file of programs/ with culprit-cc or culprit-c++ to an executable.
std::filesystem::path compileProgram(const std::string &source, const std::string &flags);

} // namespace culprit
#endif
