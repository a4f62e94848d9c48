// Programs that would go on for ever end soon after they have passed a limit, with all that they
// have started. Run in each way that this machine has.
#include "sandbox/sandbox.h"

#include "support/diagnostics.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMostAfterLimit = 2.0; ///< seconds

struct Trial {
  SandboxEnd end;
  double seconds = 0; ///< until nothing was left
};

SandboxedCommand shell(const std::string &script) {
  return {"/bin/sh", {"sh", "-c", script}, {"PATH=/usr/bin:/bin"}};
}

class Limits : public testing::TestWithParam<SandboxWay> {
protected:
  void SetUp() override {
    options_.way = GetParam();
    options_.allowPrograms = true;
    options_.input = options_.output = options_.error = nothing_.get();
    try {
      Sandbox::start(shell("exit 0"), options_)->wait();
    } catch (const Failure &failure) {
      GTEST_SKIP() << failure.what();
    }
  }

  Trial run(const std::string &script) {
    Trial trial;
    Clock::time_point start = Clock::now();
    {
      std::unique_ptr<Sandbox> sandbox = Sandbox::start(shell(script), options_);
      trial.end = sandbox->wait();
    }
    trial.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return trial;
  }

  UniqueFd nothing_{open("/dev/null", O_RDWR | O_CLOEXEC)};
  SandboxOptions options_;
};

TEST_P(Limits, EndASleeper) {
  options_.limits.seconds = 0.3;
  Trial trial = run("sleep 100");
  EXPECT_EQ(trial.end.signal, SIGKILL);
  EXPECT_EQ(trial.end.limit, SandboxLimit::Time);
  EXPECT_LT(trial.seconds, 0.3 + kMostAfterLimit);
}

TEST_P(Limits, EndAForkBomb) {
  options_.limits.seconds = 0.5;
  options_.limits.processes = 50;
  Trial trial = run("bomb() { bomb | bomb & bomb; }; bomb; sleep 100");
  EXPECT_LT(trial.seconds, 0.5 + kMostAfterLimit);
}

TEST_P(Limits, EndDaemonsWithTheProgram) {
  Trial trial = run("(setsid sleep 100 &) ; (trap '' HUP TERM; sleep 100) & exit 5");
  EXPECT_EQ(trial.end.status, 5);
  EXPECT_LT(trial.seconds, kMostAfterLimit);
}

TEST_P(Limits, EndWhoStoppedItself) {
  options_.limits.seconds = 0.3;
  EXPECT_LT(run("kill -STOP $$").seconds, 0.3 + kMostAfterLimit);
}

TEST_P(Limits, EndAFlood) {
  options_.limits.output = 1000;
  Trial trial = run("while :; do echo flood; done");
  EXPECT_EQ(trial.end.limit, SandboxLimit::Output);
}

TEST_P(Limits, RunSeveralAtATime) {
  std::vector<std::thread> threads;
  std::array<int, 4> statuses = {};
  for (size_t i = 0; i < statuses.size(); ++i)
    threads.emplace_back([&, i] {
      SandboxOptions options = options_;
      auto sandbox = Sandbox::start(shell("sleep 0.2; exit " + std::to_string(i)), options);
      statuses[i] = sandbox->wait().status;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(statuses, (std::array<int, 4>{0, 1, 2, 3}));
}

TEST_P(Limits, ChangesAreListed) {
  std::unique_ptr<Sandbox> sandbox = Sandbox::start(
      shell("cd /tmp; mkdir -p culprit-limits/sub; echo text >culprit-limits/file"), options_);
  EXPECT_EQ(sandbox->wait().status, 0);
  std::vector<std::string> paths;
  for (const FileChange &change : sandbox->changes())
    if (change.path.find("culprit-limits") != std::string::npos)
      paths.push_back(changeName(change.kind) + (" " + change.path));
  EXPECT_EQ(paths, (std::vector<std::string>{"created /tmp/culprit-limits",
                                             "created /tmp/culprit-limits/file",
                                             "created /tmp/culprit-limits/sub"}));
  UniqueFd file = sandbox->open("/tmp/culprit-limits/file");
  char text[16] = {};
  EXPECT_EQ(pread(file.get(), text, sizeof text, 0), 5);
  EXPECT_STREQ(text, "text\n");
  EXPECT_NE(access("/tmp/culprit-limits", F_OK), 0);
}

TEST(Sandbox, SaysWhyAProgramCannotBeRun) {
  SandboxOptions options;
  try {
    Sandbox::start({"/nowhere/program", {"program"}, {}}, options);
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code(), ExitCode::Usage);
    EXPECT_NE(std::string(failure.what()).find("cannot run '/nowhere/program'"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Limits, testing::Values(SandboxWay::Namespace, SandboxWay::Notify),
                         [](const auto &way) { return std::string(wayName(way.param)); });

} // namespace
} // namespace culprit
