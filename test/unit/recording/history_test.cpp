// What a recording knows of files and descriptors at a point of it.
#include "recording/history.h"

#include "abi/recording.h"

#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

using Start = KnownFile::Start;

/// A recording of system calls, made one at a time.
class Calls {
public:
  Calls() {
    abi::StartEvent start = {};
    start.event = {sizeof start, abi::EventKind::Start, 0, 1, 0};
    log.events.append({reinterpret_cast<const char *>(&start), sizeof start});
    log.meta.folder = "/srv/job";
  }

  void add(uint64_t clock, int64_t number, std::vector<uint64_t> arguments, int64_t result,
           const std::string &written = "", const std::string &path = "", uint64_t argument = 0) {
    abi::CallEvent call = {};
    size_t padded = (written.size() + 7) / 8 * 8;
    size_t size = sizeof call + (written.empty() ? 0 : sizeof(abi::WrittenBytes) + padded);
    call.event = {static_cast<uint32_t>(size), abi::EventKind::Call, 0, 1, clock};
    call.number = number;
    call.result = result;
    std::copy(arguments.begin(), arguments.end(), call.arguments);
    call.file = -1;
    call.writes = written.empty() ? 0 : 1;
    log.events.append({reinterpret_cast<const char *>(&call), sizeof call});
    if (!written.empty()) {
      abi::WrittenBytes bytes = {0x1000, written.size()};
      log.events.append({reinterpret_cast<const char *>(&bytes), sizeof bytes});
      log.events.append(written + std::string(padded - written.size(), '\0'));
    }
    ++event_;
    if (!path.empty())
      paths[{event_, argument}] = path;
  }

  History leftAt(uint64_t clock, uint64_t events = 0) const {
    LeavePoint point{clock, events};
    return historyOf(log, paths, point);
  }

  RecordedLog log;
  NotedPaths paths;

private:
  uint64_t event_ = 1;
};

TEST(KnownFile, PutsStretchesTogether) {
  KnownFile file;
  file.sawBytes(4, "5678");
  file.sawBytes(0, "12");
  EXPECT_EQ(file.stretches().size(), 2U);
  file.sawBytes(1, "234");
  EXPECT_EQ(file.stretches(), (std::map<uint64_t, uint64_t>{{0, 8}}));
  EXPECT_EQ(file.bytes(), "12345678");
  EXPECT_FALSE(file.isWhole());
  file.sawSize(8);
  EXPECT_TRUE(file.isWhole());
}

TEST(KnownFile, ForgetsNothingAndLearnsNothingWhenChanged) {
  KnownFile file;
  file.found(Start::Present);
  file.sawBytes(0, "old");
  file.changed(true);
  file.sawBytes(3, "new");
  file.sawSize(6);
  file.found(Start::Absent);
  EXPECT_EQ(file.bytes(), "old");
  EXPECT_FALSE(file.size());
  EXPECT_EQ(file.start(), Start::Present);
  EXPECT_TRUE(file.wasAppendedOnly());
  file.changed(false);
  EXPECT_FALSE(file.wasAppendedOnly());
}

TEST(History, KnowsTheRestOfTheInput) {
  Calls calls;
  calls.add(1, SYS_read, {0, 0x1000, 4}, 4, "one.");
  calls.add(5, SYS_read, {0, 0x1000, 4}, 4, "two.");
  calls.add(6, SYS_dup, {0}, 7);
  calls.add(7, SYS_read, {7, 0x1000, 4}, 3, "end");
  History history = calls.leftAt(5);
  ASSERT_TRUE(history.isReached);
  EXPECT_EQ(history.calls, 1U);
  EXPECT_EQ(history.open.at(0)->rest, "two.end");
  EXPECT_EQ(calls.leftAt(0, 3).open.at(0)->rest, "end");
  EXPECT_FALSE(calls.leftAt(8).isReached);
  EXPECT_FALSE(calls.leftAt(0, 100).isReached);
}

TEST(History, KnowsFilesAsTheyWere) {
  Calls calls;
  uint64_t here = static_cast<uint32_t>(AT_FDCWD);
  calls.add(0, SYS_openat, {here, 0x1000, O_RDONLY}, 3, "", "in", 1);
  calls.add(0, SYS_read, {3, 0x1000, 4}, 4, "text");
  calls.add(0, SYS_chdir, {0x1000}, 0, "", "deep", 0);
  calls.add(0, SYS_open, {0x1000, O_CREAT | O_EXCL | O_WRONLY}, 4, "", "../out", 0);
  calls.add(0, SYS_stat, {0x1000, 0x2000}, -2, "", "/etc/none", 0);
  calls.add(9, SYS_read, {3, 0x1000, 4}, 0);
  calls.add(9, SYS_close, {3}, 0);
  History history = calls.leftAt(9);
  EXPECT_EQ(history.open.at(3)->path, "/srv/job/in");
  EXPECT_EQ(history.files.at("/srv/job/in").start(), Start::Present);
  EXPECT_TRUE(history.files.at("/srv/job/in").isWhole());
  EXPECT_EQ(history.files.at("/srv/job/out").start(), Start::Absent);
  EXPECT_EQ(history.files.at("/etc/none").start(), Start::Absent);
}

TEST(History, KnowsChildrenUntilTheyAreWaitedFor) {
  Calls calls;
  calls.add(1, SYS_fork, {}, 77);
  calls.add(2, SYS_getpid, {}, 70);
  calls.add(3, SYS_wait4, {~uint64_t{0}}, 77);
  calls.add(4, SYS_getpid, {}, 70);
  EXPECT_EQ(calls.leftAt(2).children, std::set<int>{77});
  EXPECT_TRUE(calls.leftAt(4).children.empty());
}

} // namespace
} // namespace culprit
