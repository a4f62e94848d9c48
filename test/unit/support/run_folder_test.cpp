// Folders of runs go with the run, or, when it was killed, with a later one.
#include "support/diagnostics.h"
#include "support/run_folder.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

using namespace culprit;
namespace fs = std::filesystem;

namespace {

class RunFolders : public testing::Test {
protected:
  RunFolders() {
    std::string name = testing::TempDir() + "run-folder-XXXXXX";
    folder_ = mkdtemp(name.data());
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~RunFolders() override {
    unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }

  /// As a killed run leaves it, `minutes` ago.
  fs::path abandoned(const std::string &name, int minutes) {
    fs::path left = folder_ / name;
    fs::create_directory(left);
    std::ofstream(left / "counts") << "1";
    makeOld(left, minutes);
    return left;
  }
  static void makeOld(const fs::path &folder, int minutes) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  }

  fs::path folder_;
};

TEST_F(RunFolders, GoWithTheRun) {
  fs::path path;
  {
    RunFolder run("count");
    path = run.path();
    std::ofstream(path / "counts") << "1";
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(RunFolders, OfKilledRunsAreRemoved) {
  fs::path left = abandoned("culprit-count-abcdef", 2);
  fs::path young = abandoned("culprit-count-ghijkl", 0);
  fs::path other = abandoned("culprit-replay-abcdef", 2);
  fs::path foreign = abandoned("something-else", 2);
  RunFolder run("count");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::exists(foreign));
}

TEST_F(RunFolders, OfRunsThatGoOnStay) {
  RunFolder first("count");
  makeOld(first.path(), 2);
  RunFolder second("count");
  EXPECT_TRUE(fs::exists(first.path()));
}

TEST_F(RunFolders, NeedAFolder) {
  setenv("TMPDIR", (folder_ / "missing").c_str(), 1);
  EXPECT_THROW(RunFolder("count"), Failure);
}

} // namespace
