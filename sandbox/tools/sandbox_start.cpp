// Measures how long a sandbox takes to start and to end: sandbox_start ROUNDS. Prints Markdown
// rows, the fastest round and the median, in milliseconds, for bench/sections.
#include "sandbox/sandbox.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

namespace culprit {
namespace {

using Clock = std::chrono::steady_clock;

struct Times {
  std::vector<double> start; ///< until the program runs
  std::vector<double> whole; ///< until nothing of it is left
};

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

const SandboxedCommand kProgram{"/bin/true", {"true"}, {}};

void measureNative(Times &times) {
  Clock::time_point start = Clock::now();
  pid_t child = 0;
  char name[] = "true";
  char *arguments[] = {name, nullptr};
  char *environment[] = {nullptr};
  posix_spawn(&child, kProgram.executable.c_str(), nullptr, nullptr, arguments, environment);
  times.start.push_back(since(start));
  waitpid(child, nullptr, 0);
  times.whole.push_back(since(start));
}

void measure(const SandboxOptions &options, Times &times) {
  Clock::time_point start = Clock::now();
  {
    std::unique_ptr<Sandbox> sandbox = Sandbox::start(kProgram, options);
    times.start.push_back(since(start));
    sandbox->wait();
  }
  times.whole.push_back(since(start));
}

std::string cells(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return fmt::format("{:.1f} | {:.1f}", values.front(), values[values.size() / 2]);
}

void print(const char *name, const Times &times) {
  fmt::print("| {} | {} | {} |\n", name, cells(times.start), cells(times.whole));
}

void measureAll(int rounds) {
  UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  Times native;
  for (int i = 0; i < rounds; ++i)
    measureNative(native);
  print("no sandbox", native);
  for (SandboxWay way : {SandboxWay::Namespace, SandboxWay::Notify}) {
    SandboxOptions options;
    options.way = way;
    options.input = options.output = options.error = nothing.get();
    Times times;
    try {
      for (int i = 0; i < rounds; ++i)
        measure(options, times);
      print(wayName(way), times);
    } catch (const Failure &failure) {
      fmt::print("| {} | {} | | | |\n", wayName(way), failure.what());
    }
  }
}

} // namespace
} // namespace culprit

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fputs("usage: sandbox_start ROUNDS\n", stderr);
    return 2;
  }
  culprit::measureAll(std::max(1, std::atoi(argv[1])));
  return 0;
}
