// getopt and its relatives: results, variables, the order of arguments and messages.
#include "test/unit/instrumented/both.h"

#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

namespace culprit::test {

CULPRIT_BOTH(int, getopt, int, char *const *, const char *)
CULPRIT_BOTH(int, __posix_getopt, int, char *const *, const char *)
CULPRIT_BOTH(int, getopt_long, int, char *const *, const char *, const option *, int *)
CULPRIT_BOTH(int, getopt_long_only, int, char *const *, const char *, const option *, int *)

namespace {

int g_flag;

const option kOptions[] = {
    {"verbose", no_argument, nullptr, 'v'},      {"version", no_argument, nullptr, 'V'},
    {"output", required_argument, nullptr, 'o'}, {"opt", optional_argument, nullptr, 'p'},
    {"flag", no_argument, &g_flag, 3},           {"flags", no_argument, &g_flag, 3},
    {"a", no_argument, nullptr, 1000},           {nullptr, 0, nullptr, 0}};

const char *const kWords[] = {
    "-a",       "-b",         "-ab",       "-c",       "-cx",       "-d",       "-dx",
    "--",       "-",          "x",         "y",        "--verbose", "--ver",    "--verb",
    "--output", "--output=1", "--out",     "--opt",    "--opt=2",   "--flag=3", "--fla",
    "--flag",   "--nix",      "--nix=1",   "-verbose", "-o",        "-W",       "-Wverbose",
    "-z",       "-:",         "-output=1", "-ax",      "--o",       "-W nix",   ""};
const char *const kLetters[] = {
    "abc:d::", "+abc:d::", "-abc:d::", ":abc:d::", "+:abc:d::", "abc:d::W;", "", "-:abc:d::W;"};

/// What getopt says goes to a file.
class Messages {
public:
  Messages() : file_(tmpfile()), kept_(dup(2)) {
    fflush(stderr);
    dup2(fileno(file_), 2);
  }
  Messages(const Messages &) = delete;
  Messages &operator=(const Messages &) = delete;
  ~Messages() {
    dup2(kept_, 2);
    close(kept_);
    fclose(file_);
  }
  std::string text() const {
    std::string all;
    char buffer[4096];
    ssize_t size = pread(fileno(file_), buffer, sizeof buffer, 0);
    return size > 0 ? std::string(buffer, static_cast<size_t>(size)) : all;
  }

private:
  FILE *file_;
  int kept_;
};

/// All calls on one command line; what they said and did as a text.
template <typename Next> std::string scan(const Next &next, unsigned seed) {
  Random random(seed);
  std::vector<std::string> words{"prog"};
  for (size_t count = below(random, 7); count > 0; --count)
    words.push_back(kWords[below(random, std::size(kWords))]);
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const char *letters = kLetters[below(random, std::size(kLetters))];
  std::string all;
  Messages messages;
  optind = 0;
  opterr = random() % 4 != 0;
  g_flag = 0;
  for (int i = 0; i < 30; ++i) {
    int index = -7;
    int result = next(static_cast<int>(words.size()), argv.data(), letters, &index);
    all += std::to_string(result) + " " + std::to_string(index) + " " + std::to_string(optind) +
           " " + std::to_string(optopt) + " " + std::to_string(g_flag) + " " +
           (optarg ? optarg : "(none)") + ";";
    for (size_t word = 0; word < words.size(); ++word)
      all += std::string(argv[word]) + ",";
    if (result == -1)
      break;
  }
  return all + messages.text();
}

template <typename Function, typename Call>
void checkScans(const Both<Function> &functions, const Call &call) {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    auto with = [&](Function *function) {
      return scan([&](auto... arguments) { return call(function, arguments...); }, seed);
    };
    ASSERT_EQ(with(functions.libc), with(functions.ours))
        << functions.name << " with seed " << seed;
  }
}

auto shortOnly = [](auto *function, int argc, char **argv, const char *letters, int *) {
  return function(argc, argv, letters);
};

auto withLong = [](auto *function, int argc, char **argv, const char *letters, int *index) {
  return function(argc, argv, letters, kOptions, index);
};

TEST(Options, Short) {
  checkScans(getopt_, shortOnly);
  checkScans(__posix_getopt_, shortOnly);
}

TEST(Options, Long) {
  checkScans(getopt_long_, withLong);
  checkScans(getopt_long_only_, withLong);
}

TEST(Options, AsPosixHasIt) {
  setenv("POSIXLY_CORRECT", "1", 1);
  checkScans(getopt_, shortOnly);
  checkScans(getopt_long_, withLong);
  unsetenv("POSIXLY_CORRECT");
}

/// A program may set optind back, or call without arguments at all.
TEST(Options, BeganAnew) {
  for (bool isOurs : {false, true}) {
    auto next = isOurs ? getopt_.ours : getopt_.libc;
    char words[4][8] = {"prog", "-a", "x", "-b"};
    char *argv[] = {words[0], words[1], words[2], words[3], nullptr};
    optind = 0;
    EXPECT_EQ(next(4, argv, "ab"), 'a');
    EXPECT_EQ(next(4, argv, "ab"), 'b');
    EXPECT_EQ(next(4, argv, "ab"), -1);
    EXPECT_EQ(optind, 3);
    optind = 1;
    EXPECT_EQ(next(4, argv, "ab"), 'a');
    EXPECT_EQ(next(0, argv, "ab"), -1);
  }
}

} // namespace
} // namespace culprit::test
