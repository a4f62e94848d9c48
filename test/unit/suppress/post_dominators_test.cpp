// Where control comes together again after a branch: compiler/suppress/post_dominators.h.
#include "compiler/suppress/post_dominators.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <string>

namespace culprit {
namespace {

/// The name of the meeting point of block `name` in a function given as IR; "" for its end.
std::string meetingOf(const std::string &body, const std::string &name) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::string text = "declare void @stop() noreturn\ndeclare void @work()\n"
                     "declare i32 @__gxx_personality_v0(...)\n"
                     "define void @f(i1 %c, i1 %d) personality ptr @__gxx_personality_v0 {\n" +
                     body + "}\n";
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  llvm::Function &function = *module->getFunction("f");
  PostDominators meetings(function);
  for (llvm::BasicBlock &block : function)
    if (block.getName() == name) {
      llvm::BasicBlock *meeting = meetings.immediate(&block);
      return meeting ? meeting->getName().str() : "";
    }
  return "no such block";
}

TEST(PostDominators, SidesMeet) {
  const char *body = "entry:\n br i1 %c, label %yes, label %no\n"
                     "yes:\n br label %done\nno:\n br label %done\ndone:\n ret void\n";
  EXPECT_EQ(meetingOf(body, "entry"), "done");
  EXPECT_EQ(meetingOf(body, "yes"), "done");
  EXPECT_EQ(meetingOf(body, "done"), "");
}

TEST(PostDominators, ALoopLeaves) {
  const char *body = "entry:\n br label %head\nhead:\n br i1 %c, label %body, label %after\n"
                     "body:\n br label %head\nafter:\n ret void\n";
  EXPECT_EQ(meetingOf(body, "head"), "after");
}

TEST(PostDominators, WaysThatEndTheProgramDoNotCount) {
  const char *body = "entry:\n br label %head\nhead:\n br i1 %c, label %body, label %after\n"
                     "body:\n br i1 %d, label %bad, label %good\n"
                     "bad:\n call void @stop()\n unreachable\n"
                     "good:\n br label %head\nafter:\n ret void\n";
  EXPECT_EQ(meetingOf(body, "body"), "good");
  EXPECT_EQ(meetingOf(body, "head"), "after");
}

TEST(PostDominators, WaysOfExceptionsDoNotCount) {
  const char *body = "entry:\n invoke void @work() to label %next unwind label %pad\n"
                     "next:\n br i1 %c, label %a, label %b\na:\n br label %done\n"
                     "b:\n br label %done\n"
                     "pad:\n %p = landingpad { ptr, i32 } cleanup\n br label %done\n"
                     "done:\n ret void\n";
  EXPECT_EQ(meetingOf(body, "entry"), "next");
  EXPECT_EQ(meetingOf(body, "next"), "done");
}

TEST(PostDominators, ARoundOfALoopWithoutExit) {
  const char *body = "entry:\n br label %head\nhead:\n br i1 %c, label %yes, label %no\n"
                     "yes:\n call void @work()\n br label %join\nno:\n br label %join\n"
                     "join:\n br i1 %d, label %leave, label %head\n"
                     "leave:\n call void @stop()\n unreachable\n";
  EXPECT_EQ(meetingOf(body, "head"), "join");
}

TEST(PostDominators, SeveralReturnsMeetAtTheEnd) {
  const char *body = "entry:\n br i1 %c, label %yes, label %no\nyes:\n ret void\nno:\n ret void\n";
  EXPECT_EQ(meetingOf(body, "entry"), "");
}

} // namespace
} // namespace culprit
