// Access expressions: the comment behind a line of the program says what its accesses are called.
#include "analysis/names/names.h"
#include "running_program.h"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <map>
#include <set>

namespace culprit {
namespace {

std::vector<std::string> linesOf(const std::string &source) {
  std::ifstream stream(std::string(NAMES_PROGRAMS) + "/" + source);
  std::vector<std::string> lines{""};
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// Whether the instruction accesses memory other than a whole variable.
bool isInteresting(const llvm::Instruction &instruction) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (!pointer)
    return llvm::isa<llvm::MemTransferInst>(instruction);
  return !llvm::isa<llvm::AllocaInst>(pointer) && !llvm::isa<llvm::GlobalVariable>(pointer);
}

/// The answers for every place of a function's line, in the order of the code.
std::string answers(Names &names, const llvm::Function &function, unsigned line) {
  std::string result;
  std::set<unsigned> columns;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::DebugLoc &location = instruction.getDebugLoc();
    if (!location || location.getLine() != line || !isInteresting(instruction) ||
        !columns.insert(location.getCol()).second)
      continue;
    AccessSite site{function.getName().str(), "", line, location.getCol(), std::nullopt};
    result += (result.empty() ? "" : "; ") + names.expressionAt(site).value_or("?");
  }
  return result;
}

void checkProgram(const std::string &source, const std::vector<std::string> &functions,
                  const std::string &flags) {
  std::filesystem::path path = compileProgram(source, flags);
  Program program = loadProgram(path);
  Names names(&program, {{path, 0}});
  std::vector<std::string> lines = linesOf(source);
  std::map<unsigned, std::string> found;
  for (const std::string &name : functions) {
    std::vector<llvm::Function *> bodies = names.modules().findFunctions(name);
    ASSERT_EQ(bodies.size(), 1U) << name;
    for (unsigned line = 1; line < lines.size(); ++line)
      if (std::string text = answers(names, *bodies[0], line); !text.empty())
        found[line] = text;
  }
  for (unsigned line = 2; line < lines.size(); ++line)
    if (size_t comment = lines[line].find("// "); comment != std::string::npos) {
      EXPECT_EQ(found[line], lines[line].substr(comment + 3)) << source << ":" << line << flags;
    }
}

TEST(Expressions, OfC) {
  for (const char *flags : {"-O0", "-O2"})
    checkProgram("expressions.c", {"scalars", "records", "globals", "arrays"}, flags);
}

TEST(Expressions, OfMethods) {
  checkProgram("methods.cpp",
               {"_Z3useR7DerivedRSt6vectorIS_SaIS_EER6HolderIS_Ei",
                "_ZZ3useR7DerivedRSt6vectorIS_SaIS_EER6HolderIS_EiENK3$_0clEi", "_ZN7Derived3setEi",
                "_ZN6HolderI7DerivedE2atEi", "_ZN6HolderI7DerivedE3getEv",
                "_Z11callVirtualP5SceneR5Shapei"},
               "-O0");
}

TEST(Expressions, BothSidesOfACopy) {
  std::filesystem::path path = compileProgram("expressions.c", "-O0");
  Program program = loadProgram(path);
  Names names(&program, {{path, 0}});
  EXPECT_EQ(names.expressionAt({"records", "", 55, 9, true}), "*it");
  EXPECT_EQ(names.expressionAt({"records", "expressions.c", 55, 9, false}), "*e");
}

/// `next` and `next->items[i]` are at one place; only their sizes tell them apart.
TEST(Expressions, BySizeWhereThePlaceIsTheSame) {
  std::filesystem::path path = compileProgram("methods.cpp", "-O0");
  Program program = loadProgram(path);
  Names names(&program, {{path, 0}});
  AccessSite site{"_ZN7Derived3setEi", "", 13, 12, false};
  EXPECT_FALSE(names.expressionAt(site));
  site.size = 8;
  EXPECT_EQ(names.expressionAt(site), "this->next");
  site.size = 4;
  EXPECT_EQ(names.expressionAt(site), "this->next->items[i]");
}

/// What the optimiser folds has the column of something else, what it makes a vector of is larger.
TEST(Expressions, OnTheLineOfOptimisedCode) {
  std::filesystem::path path = compileProgram("expressions.c", "-O0");
  Program program = loadProgram(path);
  Names names(&program, {{path, 0}});
  EXPECT_EQ(names.expressionAt({"scalars", "", 32, 99, false, 1}), "s[i - 2]");
  EXPECT_EQ(names.expressionAt({"scalars", "", 32, 99, true, 16}), "p[i + 1]");
  EXPECT_FALSE(names.expressionAt({"scalars", "", 33, 99, std::nullopt})) << "two accesses";
}

TEST(Expressions, OfCalledPointers) {
  std::filesystem::path path = compileProgram("expressions.c", "-O0");
  Program program = loadProgram(path);
  Names names(&program, {{path, 0}});
  EXPECT_EQ(names.calleeAt({"calls", "", 85, 15, std::nullopt}), "c->run");
  EXPECT_EQ(names.calleeAt({"calls", "", 86, 18, std::nullopt}), "plain");
  EXPECT_FALSE(names.calleeAt({"calls", "", 86, 1, std::nullopt})) << "two calls";
  EXPECT_FALSE(names.calleeAt({"arrays", "", 75, 1, std::nullopt}));
}

TEST(Expressions, OfNumberedSites) {
  std::filesystem::path path = compileProgram("expressions.c", "-O0");
  Program program = loadProgram(path);
  Names names(&program, {{path, 0}});
  std::set<std::string> found;
  for (uint32_t site = 0; site < 60; ++site)
    found.insert(names.expressionOfSite(0, site, false).value_or(""));
  for (const char *expected : {"*p", "**pp", "p[i + 1]", "s[i - 2]", "pp[i][2 * i]"})
    EXPECT_TRUE(found.contains(expected)) << expected;
  EXPECT_FALSE(names.expressionOfSite(1, 0, false));
}

TEST(Expressions, NoneWhereNothingIs) {
  std::filesystem::path path = compileProgram("expressions.c", "-O0");
  Program program = loadProgram(path);
  Names names(&program, {{path, 0}});
  EXPECT_FALSE(names.expressionAt({"scalars", "", 1, 1, std::nullopt}));
  EXPECT_FALSE(names.expressionAt({"noSuchFunction", "", 1, 1, std::nullopt}));
  EXPECT_FALSE(names.expressionAt({"scalars", "other.c", 29, 6, std::nullopt}));
}

} // namespace
} // namespace culprit
