// What a failure looks like in text and JSON.
#include "report/failure_json.h"
#include "report/failure_text.h"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

namespace culprit {
namespace {

StackFrame frameAt(const char *function, const char *file, uint32_t line, uint32_t column) {
  StackFrame frame;
  frame.origin = FrameOrigin::Program;
  frame.function = function;
  frame.file = file;
  frame.path = file;
  frame.image = "/bin/program";
  frame.line = line;
  frame.column = column;
  return frame;
}

StackFrame libraryFrame(const char *function) {
  StackFrame frame;
  frame.function = function;
  frame.image = "/lib/libc.so.6";
  return frame;
}

FailureReport writeThroughNull() {
  FailureReport report;
  report.kind = abi::FailureKind::Signal;
  report.signal = SIGSEGV;
  report.message = "wild write of 8 bytes through a null pointer";
  report.label = "segmentation fault";
  report.access = AccessKind::Write;
  report.accessSize = 8;
  report.address = 0;
  report.thread = 1;
  report.stack = {frameAt("append", "list.c", 2, 11), frameAt("main", "list.c", 5, 3),
                  libraryFrame("__libc_start_main")};
  return report;
}

std::string print(const FailureReport &report) {
  return printFailure(report, {"./program", false, true});
}

TEST(FailureText, ShowsSourceCaretAndCallers) {
  std::string path =
      testing::TempDir() + "culprit-report-list.c"; // the current folder stays as it is
  std::ofstream(path) << "void append() {\n\tp->next = q;\n}\n";
  FailureReport report = writeThroughNull();
  report.stack.front().path = path;
  EXPECT_EQ(
      print(report),
      "list.c:2:11: error: wild write of 8 bytes through a null pointer [segmentation fault]\n"
      "    2 | \tp->next = q;\n"
      "      | \t         ^\n"
      "note: in append() called from main() at list.c:5:3\n");
}

TEST(FailureText, DoesWithoutSourceAndLocation) {
  FailureReport report = writeThroughNull();
  for (StackFrame &frame : report.stack)
    frame.file = frame.path = "gone.c";
  EXPECT_EQ(print(report).substr(0, 18), "gone.c:2:11: error");
  EXPECT_EQ(print(report).find(" | "), std::string::npos);
  report.stack.clear();
  report.place = 0;
  EXPECT_EQ(
      print(report),
      "./program: error: wild write of 8 bytes through a null pointer [segmentation fault]\n");
}

TEST(FailureText, NamesTheLibraryFunctionThatFailed) {
  FailureReport report = writeThroughNull();
  report.stack.insert(report.stack.begin(), libraryFrame("strcpy"));
  report.place = 1;
  EXPECT_NE(print(report).find("null pointer in strcpy() [segmentation"), std::string::npos);
}

/// Of the C++ library's own calls only the program's code around them is told.
TEST(FailureText, LeavesOutSystemHeaders) {
  FailureReport report = writeThroughNull();
  StackFrame library = frameAt("std::__invoke<f>()", "invoke.h", 61, 14);
  library.path = "/usr/include/c++/12/bits/invoke.h";
  report.stack.insert(report.stack.begin() + 1, library);
  report.blocks.push_back({0x1000, 8, false, {library, report.stack[0], report.stack[2]}, {}});
  std::string text = print(report);
  EXPECT_NE(text.find("note: in append() called from main() at list.c:5:3\n"), std::string::npos);
  EXPECT_NE(text.find("note: the block of 8 bytes was allocated in append() at list.c:2:11, called "
                      "from main() at list.c:5:3\n"),
            std::string::npos);
  EXPECT_EQ(text.find("invoke"), std::string::npos);
}

TEST(FailureText, SaysThatALineIsApproximate) {
  FailureReport report = writeThroughNull();
  report.stack[0].isApproximate = true;
  EXPECT_NE(print(report).find("note: the line is approximate"), std::string::npos);
}

TEST(FailureText, TellsRecursionOnce) {
  FailureReport report = writeThroughNull();
  report.stack.insert(report.stack.begin(), 100, frameAt("deep", "list.c", 9, 1));
  std::string text = print(report);
  EXPECT_NE(text.find("in deep() called from deep() at list.c:9:1, 99 times\n"), std::string::npos);
  EXPECT_NE(text.find("in append() called from main()"), std::string::npos);
}

TEST(FailureText, HasColourAndNoNotesAsAskedFor) {
  std::string text = printFailure(writeThroughNull(), {"./program", true, false});
  EXPECT_NE(text.find("\033[1;31merror: "), std::string::npos);
  EXPECT_EQ(text.find("note"), std::string::npos);
}

TEST(FailureText, TellsOfBlocks) {
  FailureReport report = writeThroughNull();
  report.blocks.push_back(
      {0x1000, 24, true, {frameAt("make", "list.c", 7, 5)}, {frameAt("drop", "list.c", 8, 5)}});
  std::string text = print(report);
  EXPECT_NE(text.find("note: the block of 24 bytes was allocated in make() at list.c:7:5\n"
                      "note: it was freed in drop() at list.c:8:5\n"),
            std::string::npos)
      << text;
}

TEST(FailureJson, HasTheFacts) {
  FailureReport report = writeThroughNull();
  auto value = llvm::json::parse(runAsJson(139, &report));
  ASSERT_TRUE(static_cast<bool>(value));
  const llvm::json::Object *failure = value->getAsObject()->getObject("failure");
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(value->getAsObject()->getInteger("status"), 139);
  EXPECT_EQ(failure->getString("kind"), "segmentation-fault");
  EXPECT_EQ(failure->getString("access"), "write");
  EXPECT_EQ(failure->getString("address"), "0x0");
  EXPECT_EQ(failure->getObject("location")->getInteger("line"), 2);
  EXPECT_EQ(failure->getArray("stack")->size(), 3U);
}

TEST(FailureJson, IsNullWithoutFailure) {
  EXPECT_EQ(runAsJson(0, nullptr), "{\n  \"failure\": null,\n  \"status\": 0\n}\n");
}

} // namespace
} // namespace culprit
