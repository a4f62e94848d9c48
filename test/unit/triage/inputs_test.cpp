// Which files of a folder are inputs, by the layout that is recognised.
#include "analysis/triage/inputs.h"

#include "support/diagnostics.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

using Names = std::vector<std::string>;

struct LayoutCase {
  const char *name;
  Names files;
  Names inputs;
};

/// A folder with empty files.
class Folder {
public:
  explicit Folder(const Names &files) {
    std::string pattern = (fs::temp_directory_path() / "triage-unit-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    for (const std::string &file : files) {
      fs::create_directories((path_ / file).parent_path());
      std::ofstream(path_ / file);
    }
  }
  ~Folder() { fs::remove_all(path_); }
  const fs::path &path() const { return path_; }

  Names inputs() const {
    Names names;
    for (const fs::path &input : findInputs({path_.string()}))
      names.push_back(input.lexically_relative(path_).string());
    return names;
  }

private:
  fs::path path_;
};

class Layouts : public testing::TestWithParam<LayoutCase> {};

TEST_P(Layouts, HoldInputs) {
  EXPECT_EQ(Folder(GetParam().files).inputs(), GetParam().inputs);
}

INSTANTIATE_TEST_SUITE_P(
    All, Layouts,
    testing::Values(
        LayoutCase{"AflCrashes",
                   {"id:000001,sig:11", "id:000000,sig:06", "README.txt"},
                   {"id:000000,sig:06", "id:000001,sig:11"}},
        LayoutCase{"AflWithoutColons", {"id_000000_sig_06", "README.txt"}, {"id_000000_sig_06"}},
        LayoutCase{"AflFuzzer",
                   {"crashes/id:000000", "crashes/README.txt", "queue/id:000000", "hangs/id:000000",
                    "fuzzer_stats", "crashes.2024-01-01/id:000000"},
                   {"crashes/id:000000", "crashes.2024-01-01/id:000000"}},
        LayoutCase{"AflSeveralFuzzers",
                   {"main/crashes/id:000000", "main/queue/id:000000", "second/crashes/id:000000",
                    "seeds/one"},
                   {"main/crashes/id:000000", "second/crashes/id:000000"}},
        LayoutCase{"LibFuzzer",
                   {"crash-1", "oom-2", "timeout-3", "leak-4", "slow-unit-5", "0beec7b5ea3f0fdb"},
                   {"crash-1", "leak-4", "oom-2", "timeout-3"}},
        LayoutCase{"Plain", {"b", "a.png", ".hidden", "README.txt", "sub/c"}, {"a.png", "b"}}),
    [](const auto &one) { return one.param.name; });

TEST(Inputs, AreNamedOnce) {
  Folder folder({"one", "two"});
  std::string file = (folder.path() / "one").string();
  EXPECT_EQ(findInputs({file, folder.path().string(), file}).size(), 2U);
}

TEST(Inputs, MustExist) {
  Folder none({"crashes/README.txt"});
  EXPECT_THROW(none.inputs(), Failure);
  EXPECT_THROW(findInputs({(none.path() / "missing").string()}), Failure);
}

} // namespace
} // namespace culprit
