// See deadlock.h.
#include "cli/deadlock.h"

#include "abi/failure.h"
#include "support/mappings.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <linux/futex.h>
#include <map>
#include <optional>
#include <sstream>
#include <sys/syscall.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr unsigned kSamples = 5;
constexpr uint32_t kOwnerOffset = 8;      ///< of pthread_mutex_t: which thread has it
constexpr uint32_t kTidMask = 0x3fffffff; ///< of a priority-inheriting futex

/// A thread's wait, from /proc/PID/task/TID/syscall.
struct Wait {
  uint64_t address = 0;
  uint64_t operation = 0;
  uint64_t value = 0;
  std::string text; ///< the whole line, and how often the thread was switched: the same only if it
                    ///< has slept all the time
};

std::string firstLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The lines of a status file whose keys start with `key`, joined.
std::string statusLines(const std::string &path, std::string_view key) {
  std::ifstream file(path);
  std::string found;
  for (std::string line; std::getline(file, line);)
    if (line.find(key) != std::string::npos)
      found += line;
  return found;
}

/// The number that a thread has for itself, which locks are marked with: in a sandbox another one.
pid_t ownNumber(const std::string &folder, pid_t thread) {
  std::istringstream words(statusLines(folder + "/status", "NSpid:"));
  std::string key;
  pid_t number = thread;
  for (words >> key; words >> number;)
    continue;
  return number == 0 ? thread : number;
}

bool isOver(const std::string &folder) {
  std::string stat = firstLine(folder + "/stat");
  size_t end = stat.rfind(')');
  return end == std::string::npos || end + 2 >= stat.size() || stat[end + 2] == 'Z' ||
         stat[end + 2] == 'X';
}

/// Whether no other process has the memory at `address`, and no file is behind it.
bool isInOwnMemory(pid_t process, uint64_t address) {
  for (const Mapping &mapping : mappingsOf(process))
    if (address >= mapping.begin && address < mapping.end)
      return mapping.isPrivate() && !mapping.isFile;
  return false;
}

/// Nothing if the thread runs, or waits for something that can come by itself.
std::optional<Wait> waitOf(const std::string &folder) {
  Wait wait;
  wait.text = firstLine(folder + "/syscall");
  std::istringstream words(wait.text);
  long number = -1;
  uint64_t limit = 0;
  words >> number;
  words >> std::hex >> wait.address >> wait.operation >> wait.value >> limit;
  if (!words || number != SYS_futex)
    return std::nullopt;
  uint64_t command = wait.operation & FUTEX_CMD_MASK;
  bool isWait = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI ||
                command == FUTEX_LOCK_PI2 || command == FUTEX_WAIT_REQUEUE_PI;
  if (!isWait || limit != 0)
    return std::nullopt;
  wait.text += statusLines(folder + "/status", "ctxt_switches");
  return wait;
}

class Waits {
public:
  explicit Waits(pid_t process) : process_(process) {}

  /// False when some thread may go on.
  bool read() {
    for (pid_t thread : threadsOf(process_)) {
      std::string folder = fmt::format("/proc/{}/task/{}", process_, thread);
      if (isOver(folder))
        continue;
      std::optional<Wait> wait = waitOf(folder);
      if (!wait)
        return false;
      waits_.emplace(ownNumber(folder, thread), std::move(*wait));
    }
    return !waits_.empty() && std::all_of(waits_.begin(), waits_.end(),
                                          [&](const auto &item) { return isInside(item.second); });
  }

  std::string text() const {
    std::string all;
    for (const auto &[thread, wait] : waits_)
      all += fmt::format("{} {}\n", thread, wait.text);
    return all;
  }

  /// Whether some threads wait in a circle.
  bool hasCircle() const {
    for (const auto &item : waits_) {
      pid_t thread = item.first;
      for (size_t step = 0; step < waits_.size(); ++step) {
        thread = neededBy(thread);
        if (thread == item.first)
          return true;
        if (!waits_.contains(thread))
          break;
      }
    }
    return false;
  }

private:
  bool isJoin(const Wait &wait) const {
    return (wait.operation & FUTEX_PRIVATE_FLAG) == 0 &&
           waits_.contains(static_cast<pid_t>(wait.value));
  }

  /// libstdc++'s futures wait as if for other processes, which cannot reach memory of this one.
  bool isInside(const Wait &wait) const {
    return (wait.operation & FUTEX_PRIVATE_FLAG) != 0 || isJoin(wait) ||
           isInOwnMemory(process_, wait.address);
  }

  uint32_t wordAt(uint64_t address) const {
    uint32_t word = 0;
    int memory = open(fmt::format("/proc/{}/mem", process_).c_str(), O_RDONLY | O_CLOEXEC);
    if (memory >= 0 &&
        pread(memory, &word, sizeof word, static_cast<off_t>(address)) != sizeof word)
      word = 0;
    if (memory >= 0)
      close(memory);
    return word;
  }

  /// The thread that `thread` waits for; 0: not known.
  pid_t neededBy(pid_t thread) const {
    const Wait &wait = waits_.at(thread);
    if (isJoin(wait))
      return static_cast<pid_t>(wait.value);
    uint64_t command = wait.operation & FUTEX_CMD_MASK;
    if (command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2)
      return static_cast<pid_t>(wordAt(wait.address) & kTidMask);
    return static_cast<pid_t>(wordAt(wait.address + kOwnerOffset));
  }

  pid_t process_;
  std::map<pid_t, Wait> waits_;
};

/// Whether the program has handlers for signals other than those that only a failure brings.
bool handlesSignals(pid_t process) {
  std::string line = statusLines(fmt::format("/proc/{}/status", process), "SigCgt:");
  uint64_t caught = 0;
  size_t digits = line.find_first_of("0123456789abcdef", line.find(':'));
  if (digits != std::string::npos)
    std::from_chars(line.data() + digits, line.data() + line.size(), caught, 16);
  constexpr int kOurs[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,           SIGABRT, SIGTRAP,
                           SIGSYS,  32,     33,     abi::kProbeSignal}; // 32 and 33 are libc's own
  for (int signal : kOurs)
    caught &= ~(uint64_t{1} << (signal - 1));
  return caught != 0;
}

} // namespace

std::vector<pid_t> threadsOf(pid_t process) {
  std::vector<pid_t> threads;
  std::error_code error;
  for (fs::directory_iterator entry(fmt::format("/proc/{}/task", process), error), end;
       !error && entry != end; entry.increment(error))
    threads.push_back(static_cast<pid_t>(std::stol(entry->path().filename().string())));
  std::sort(threads.begin(), threads.end());
  return threads;
}

bool DeadlockWatch::isStuck() {
  Waits waits(process_);
  if (!waits.read()) {
    unchanged_ = 0;
    last_.clear();
    return false;
  }
  std::string now = waits.text();
  unchanged_ = now == last_ ? unchanged_ + 1 : 0;
  last_ = std::move(now);
  return unchanged_ >= kSamples && (!handlesSignals(process_) || waits.hasCircle());
}

} // namespace culprit
