// Real programs that change many files, in each way that this machine has: they find what they
// wrote, and nothing is changed outside.
#include "sandbox/sandbox.h"

#include "support/diagnostics.h"
#include "support/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

namespace fs = std::filesystem;

class Programs : public testing::TestWithParam<SandboxWay> {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("culprit-programs-{}", getpid());
    fs::create_directories(folder_ / "sub");
    writeFileAtomically(folder_ / "text", std::string(50000, 'x') + "end\n");
    writeFileAtomically(folder_ / "sub" / "other", "other\n");
    options_.way = GetParam();
    options_.input = options_.output = options_.error = nothing_.get();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string state() const {
    std::string text;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder_))
      text += fmt::format("{} {}\n", entry.path().string(),
                          entry.is_regular_file() ? readFile(entry.path()) : "");
    return text;
  }

  /// The changes in the folder, as "kind name"; the program must end with status 0.
  std::vector<std::string> run(const std::vector<std::string> &arguments) {
    std::string before = state();
    std::vector<std::string> changes;
    try {
      sandbox_ = Sandbox::start({arguments[0], arguments, {"PATH=/usr/bin:/bin"}}, options_);
    } catch (const Failure &failure) {
      isMissing_ = true;
      return changes;
    }
    EXPECT_EQ(sandbox_->wait().status, 0);
    EXPECT_EQ(state(), before);
    for (const FileChange &change : sandbox_->changes())
      if (change.path.starts_with(folder_.string() + "/"))
        changes.push_back(changeName(change.kind) +
                          (" " + change.path.substr(folder_.string().size() + 1)));
    return changes;
  }

  fs::path folder_;
  bool isMissing_ = false;
  UniqueFd nothing_{open("/dev/null", O_RDWR | O_CLOEXEC)};
  SandboxOptions options_;
  std::unique_ptr<Sandbox> sandbox_;
};

using Names = std::vector<std::string>;

TEST_P(Programs, GzipDeletesItsInput) {
  Names changes = run({"/bin/gzip", (folder_ / "text").string()});
  if (isMissing_)
    GTEST_SKIP() << "this machine does not have that way";
  EXPECT_EQ(changes, (Names{"deleted text", "created text.gz"}));
  UniqueFd file = sandbox_->open((folder_ / "text.gz").string());
  unsigned char start[2] = {};
  EXPECT_EQ(pread(file.get(), start, 2, 0), 2);
  EXPECT_EQ(start[0], 0x1f);
  EXPECT_EQ(start[1], 0x8b);
}

TEST_P(Programs, ADatabaseIsWrittenAndRead) {
  std::string script = "import os, shutil, sqlite3, sys\n"
                       "os.chdir(sys.argv[1])\n"
                       "c = sqlite3.connect('base')\n"
                       "c.execute('create table t(a)')\n"
                       "c.executemany('insert into t values(?)', [(i,) for i in range(500)])\n"
                       "c.commit()\n"
                       "c.execute('delete from t where a % 2')\n"
                       "c.commit()\n"
                       "assert c.execute('select count(*) from t').fetchall() == [(250,)]\n"
                       "c.close()\n"
                       "shutil.copytree('sub', 'copy')\n"
                       "os.rename('copy', 'moved')\n"
                       "assert os.listdir('moved') == ['other']\n"
                       "os.chdir('moved')\n"
                       "assert os.getcwd() == sys.argv[1] + '/moved'\n"
                       "assert open('other').read() == 'other\\n'\n"
                       "os.symlink('other', 'link')\n"
                       "assert os.path.realpath('link') == sys.argv[1] + '/moved/other'\n"
                       "os.chmod('../text', 0o600)\n"
                       "assert os.stat('../text').st_mode & 0o777 == 0o600\n"
                       "shutil.rmtree('../sub')\n"
                       "assert not os.path.exists('../sub')\n"
                       "os.truncate('../text', 10)\n"
                       "assert os.path.getsize('../text') == 10\n";
  Names changes = run({"/usr/bin/python3", "-B", "-c", script, folder_.string()});
  if (isMissing_)
    GTEST_SKIP() << "this machine does not have that way";
  EXPECT_EQ(changes, (Names{"created base", "created moved", "created moved/link",
                            "created moved/other", "deleted sub", "modified text"}));
}

INSTANTIATE_TEST_SUITE_P(Ways, Programs, testing::Values(SandboxWay::Namespace, SandboxWay::Notify),
                         [](const auto &way) { return std::string(wayName(way.param)); });

} // namespace
} // namespace culprit
