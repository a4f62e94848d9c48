// What culprit-cc makes of a command line.
#include "compiler/wrapper/arguments.h"
#include <gtest/gtest.h>
#include <set>

namespace culprit {
namespace {

using Words = std::vector<std::string>;

Paths testPaths() {
  static const std::set<std::string> files{"/usr/bin/ld", "/usr/bin/ld.gold", "/llvm/bin/ld.lld",
                                           "/mine/ld", "/opt/mold"};
  Paths paths;
  paths.clang = "/usr/bin/clang-19";
  paths.clangxx = "/usr/bin/clang++-19";
  paths.libexec = "/le";
  paths.triple = "x86_64-pc-linux-gnu";
  paths.programDirs = {"/llvm/bin"};
  paths.searchPath = {"/usr/bin"};
  paths.isExecutable = [](const std::string &path) { return files.count(path) != 0; };
  paths.isFolder = [](const std::string &path) { return path == "/mine"; };
  return paths;
}

Words argumentsFor(const Words &user) {
  Words argv = clangCommand(Mode::C, user, testPaths()).argv;
  return {argv.begin() + 1, argv.end()};
}

std::string variable(const Words &user, const std::string &name) {
  for (const auto &[key, value] : clangCommand(Mode::C, user, testPaths()).environment)
    if (key == name)
      return value;
  return "";
}

const Words kCompileOnly{"--start-no-unused-arguments", "-g",
                         "-fpass-plugin=/le/libculprit-embed.so", "--end-no-unused-arguments"};

Words operator+(Words left, const Words &right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

TEST(Arguments, ModeFollowsTheName) {
  EXPECT_EQ(modeFromName("/x/culprit-c++"), Mode::Cxx);
  EXPECT_EQ(modeFromName("culprit-cc"), Mode::C);
  EXPECT_EQ(clangCommand(Mode::Cxx, {"-c", "a.cc"}, testPaths()).argv[0], "/usr/bin/clang++-19");
}

TEST(Arguments, CompilingAddsDebugInfoAndPlugin) {
  EXPECT_EQ(argumentsFor({"-c", "a.c"}), kCompileOnly + Words({"-c", "a.c"}));
  EXPECT_EQ(variable({"-c", "a.c"}, "CULPRIT_LD"), "");
}

TEST(Arguments, QueriesAndOtherTargetsAreUntouched) {
  for (const Words &user : std::vector<Words>{{"--version"},
                                              {"-v"},
                                              {},
                                              {"-cc1", "-foo", "a.c"},
                                              {"-cc1as"},
                                              {"-dumpmachine"},
                                              {"-print-prog-name=ld"},
                                              {"-###", "a.c"},
                                              {"-E", "a.c"},
                                              {"-M", "a.c"},
                                              {"-fsyntax-only", "a.c"},
                                              {"-m32", "a.c"},
                                              {"--target=aarch64-linux-gnu", "a.c"},
                                              {"a.c", "-o"}})
    EXPECT_EQ(argumentsFor(user), user);
}

TEST(Arguments, DependencyFilesDoNotStopCompiling) {
  EXPECT_EQ(argumentsFor({"-MD", "-c", "a.c"}), kCompileOnly + Words({"-MD", "-c", "a.c"}));
  EXPECT_NE(argumentsFor({"-m32", "-m64", "-c", "a.c"}), Words({"-m32", "-m64", "-c", "a.c"}));
}

TEST(Arguments, LessDebugInfoIsRaisedAtTheEnd) {
  for (const char *flag : {"-g0", "-g1", "-gline-tables-only", "-gmlt", "-gline-directives-only",
                           "-ggdb0", "-ggdb1"}) {
    Words words = argumentsFor({"-c", flag, "a.c"});
    ASSERT_GE(words.size(), 3u);
    EXPECT_EQ(Words(words.end() - 3, words.end()),
              Words({"--start-no-unused-arguments", "-g", "--end-no-unused-arguments"}))
        << flag;
  }
  for (const char *flag : {"-g", "-g2", "-g3", "-ggdb3", "-gdwarf-4", "-gsplit-dwarf"})
    EXPECT_EQ(argumentsFor({"-c", flag, "a.c"}).back(), "a.c") << flag;
  EXPECT_EQ(argumentsFor({"-g0", "-g3", "-c", "a.c"}).back(), "a.c");
}

TEST(Arguments, NothingIsAddedAfterTwoDashes) {
  Words words = argumentsFor({"-g0", "-c", "--", "-odd.c"});
  EXPECT_EQ(Words(words.end() - 3, words.end()),
            Words({"--end-no-unused-arguments", "--", "-odd.c"}));
}

TEST(Arguments, LinkersAreThoseThatClangWouldTake) {
  EXPECT_EQ(variable({"a.c"}, "CULPRIT_LD"), "/usr/bin/ld");
  EXPECT_EQ(variable({"-fuse-ld=lld", "a.c"}, "CULPRIT_LD"), "/llvm/bin/ld.lld");
  EXPECT_EQ(variable({"-fuse-ld=gold", "a.c"}, "CULPRIT_LD"), "/usr/bin/ld.gold");
  EXPECT_EQ(variable({"-fuse-ld=ld", "a.c"}, "CULPRIT_LD"), "/usr/bin/ld");
  EXPECT_EQ(variable({"-B/mine", "a.c"}, "CULPRIT_LD"), "/mine/ld");
  EXPECT_EQ(variable({"--ld-path=/opt/mold", "a.c"}, "CULPRIT_LD"), "/opt/mold");
  EXPECT_EQ(variable({"-fuse-ld=/opt/mold", "a.c"}, "CULPRIT_LD"), "/opt/mold");
}

TEST(Arguments, TheShimStandsWhereItIsNotOverridden) {
  auto at = [](const Words &words, const std::string &word) {
    return std::find(words.begin(), words.end(), word) - words.begin();
  };
  Words plain = argumentsFor({"a.c"});
  EXPECT_LT(at(plain, "--ld-path=/le/ld"), at(plain, "a.c"));
  Words named = argumentsFor({"--ld-path=/opt/mold", "a.c"});
  EXPECT_GT(at(named, "--ld-path=/le/ld"), at(named, "--ld-path=/opt/mold"));
  Words path = argumentsFor({"-fuse-ld=/opt/mold", "a.c"});
  EXPECT_GT(at(path, "-fuse-ld=/le/ld"), at(path, "-fuse-ld=/opt/mold"));
}

TEST(Arguments, AMissingLinkerIsLeftForClangToReport) {
  for (const char *flag : {"-fuse-ld=none", "--ld-path=/none", "-fuse-ld=/none"}) {
    EXPECT_EQ(variable({flag, "a.c"}, "CULPRIT_LD"), "");
    EXPECT_EQ(argumentsFor({flag, "a.c"}), kCompileOnly + Words({flag, "a.c"}));
  }
}

TEST(Arguments, PrefixMapsReachTheShim) {
  EXPECT_EQ(
      variable({"-ffile-prefix-map=/a=b", "-fdebug-prefix-map=/c=d", "a.c"}, "CULPRIT_PREFIX_MAP"),
      "/a=b\n/c=d\n");
}

TEST(Arguments, SanitizersWithAMemoryModelMakeFilesForeign) {
  auto reason = [](const Words &flags) {
    return variable(flags + Words({"-c", "a.c"}), "CULPRIT_FOREIGN");
  };
  EXPECT_EQ(reason({"-fsanitize=address"}), "-fsanitize=address");
  EXPECT_EQ(reason({"-fsanitize=undefined,thread"}), "-fsanitize=thread");
  EXPECT_EQ(reason({"-fsanitize=dataflow"}), "-fsanitize=dataflow");
  EXPECT_EQ(reason({"-fsanitize=cfi-vcall"}), "-fsanitize=cfi-vcall");
  EXPECT_EQ(reason({"-fsanitize=undefined"}), "");
  EXPECT_EQ(reason({"-fsanitize=address", "-fno-sanitize=address"}), "");
  EXPECT_EQ(reason({"-fsanitize=address", "-fno-sanitize=all"}), "");
}

} // namespace
} // namespace culprit
