// See running_program.h.
#include "running_program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit {

namespace {

void runShell(const std::string &command) {
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error("failed: " + command);
}

void readCallers(std::istringstream &words, uint64_t *callers) {
  std::string word;
  for (uint32_t i = 0; i < abi::kMostBlockCallers && words >> word; ++i)
    callers[i] = std::stoull(word, nullptr, 16);
}

} // namespace

std::filesystem::path toolFolder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::filesystem::path compileProgram(const std::string &source, const std::string &flags) {
  char folder[] = "names-XXXXXX";
  if (!mkdtemp(folder))
    throw std::runtime_error("cannot make a folder");
  std::filesystem::path output = std::filesystem::absolute(folder) / "program";
  std::string tools = toolFolder().string();
  bool isCpp = source.ends_with(".cpp");
  runShell(fmt::format("cd {} && clang-19 -O1 -fno-omit-frame-pointer -c hook.c -o {}.hook.o",
                       NAMES_PROGRAMS, output.string()));
  runShell(fmt::format("cd {} && {}/culprit-{} -no-pie -funwind-tables {} {} {}.hook.o -o {} "
                       "-Wl,--wrap=malloc,--wrap=calloc,--wrap=free",
                       NAMES_PROGRAMS, tools, isCpp ? "c++" : "cc", flags, source, output.string(),
                       output.string()));
  return output;
}

RunningProgram::RunningProgram(const std::string &source, const std::string &flags)
    : path_(compileProgram(source, flags)) {
  run();
}

RunningProgram::~RunningProgram() {
  close(input_);
  close(memory_);
  waitpid(process_, nullptr, 0);
}

void RunningProgram::run() {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
    throw std::runtime_error("cannot make a pipe");
  process_ = fork();
  if (process_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execl(path_.c_str(), path_.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  FILE *stream = fdopen(out[0], "r");
  if (!stream)
    throw std::runtime_error("cannot read the program's output");
  char line[1000];
  while (fgets(line, sizeof line, stream) && std::string(line) != "end\n")
    readLine(line);
  fclose(stream);
  memory_ = open(fmt::format("/proc/{}/mem", process_).c_str(), O_RDONLY | O_CLOEXEC);
}

void RunningProgram::readLine(const std::string &line) {
  std::istringstream words(line);
  std::string what, address;
  words >> what >> address;
  uint64_t value = address == "(nil)" ? 0 : std::stoull(address, nullptr, 16);
  if (what == "block") {
    abi::FailureBlock block{};
    block.address = value;
    block.state = abi::BlockState::Live;
    words >> block.size;
    readCallers(words, block.allocatedAt);
    blocks_.insert(blocks_.begin(), block);
  } else if (what == "free") {
    uint64_t unused = 0;
    words >> unused;
    for (abi::FailureBlock &block : blocks_)
      if (block.address == value && block.state == abi::BlockState::Live) {
        block.state = abi::BlockState::Freed;
        readCallers(words, block.freedAt);
      }
  } else {
    std::string text;
    std::getline(words >> std::ws, text);
    (what == "tls" ? threadLocals_ : said_).push_back({value, text});
  }
}

bool RunningProgram::read(uint64_t address, void *bytes, size_t size) const {
  return pread(memory_, bytes, size, static_cast<off_t>(address)) == static_cast<ssize_t>(size);
}

abi::FailureRecord RunningProgram::recordFor(uint64_t address) const {
  abi::FailureRecord record{};
  for (const abi::FailureBlock &block : blocks_)
    if (address + 16 >= block.address && address < block.address + block.size + 16 &&
        record.blockCount < abi::kMostBlocks)
      record.blocks[record.blockCount++] = block;
  return record;
}

} // namespace culprit
