// Who gets colour, and how messages look.
#include "support/diagnostics.h"

#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace culprit;

namespace {

class Colour : public testing::Test {
protected:
  Colour() {
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    terminal_ = posix_openpt(O_RDWR | O_NOCTTY);
    file_ = open("/dev/null", O_WRONLY);
  }
  ~Colour() override {
    close(terminal_);
    close(file_);
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    setQuiet(false);
  }

  int terminal_;
  int file_;
};

TEST_F(Colour, TerminalsGetItAndFilesDoNot) {
  if (terminal_ < 0)
    GTEST_SKIP() << "no pseudo terminals here";
  EXPECT_TRUE(wantsColour(terminal_));
  EXPECT_FALSE(wantsColour(file_));
}

TEST_F(Colour, ForceGivesItToFiles) {
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(wantsColour(file_));
  setenv("CLICOLOR_FORCE", "0", 1);
  EXPECT_FALSE(wantsColour(file_));
  setenv("CLICOLOR_FORCE", "", 1);
  EXPECT_FALSE(wantsColour(file_));
}

TEST_F(Colour, NoColourGoesBeforeForce) {
  setenv("CLICOLOR_FORCE", "1", 1);
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(wantsColour(terminal_));
  EXPECT_FALSE(wantsColour(file_));
  setenv("NO_COLOR", "", 1); // empty is as good as unset
  EXPECT_TRUE(wantsColour(file_));
}

TEST_F(Colour, MessagesHavePrefixAndSeverity) {
  setenv("NO_COLOR", "1", 1);
  testing::internal::CaptureStderr();
  diagnose(Severity::Error, "a thing");
  diagnose(Severity::Warning, "b thing");
  diagnose(Severity::Note, "c thing");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "culprit: error: a thing\n"
                                                    "culprit: warning: b thing\n"
                                                    "culprit: note: c thing\n");
}

TEST_F(Colour, QuietKeepsErrors) {
  setenv("NO_COLOR", "1", 1);
  setQuiet(true);
  testing::internal::CaptureStderr();
  diagnose(Severity::Warning, "b");
  diagnose(Severity::Error, "a");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "culprit: error: a\n");
}

TEST_F(Colour, OnlyTheSeverityIsColoured) {
  setenv("CLICOLOR_FORCE", "1", 1);
  testing::internal::CaptureStderr();
  diagnose(Severity::Error, "plain text");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "culprit: \033[1;31merror:\033[0m plain text\n");
}

} // namespace
