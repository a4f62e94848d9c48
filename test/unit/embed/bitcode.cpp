// Bitcode to test with. See bitcode.h.
#include "bitcode.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace culprit {
namespace {

constexpr const char *kModules[] = {
    "",
    R"(
      source_filename = "small.c"
      target triple = "x86_64-pc-linux-gnu"
      @text = constant [6 x i8] c"hello\00"
      @many = global [3 x i64] [i64 -1, i64 9223372036854775807, i64 -9223372036854775808]
      define i32 @sum(i32 %a, ptr %b) {
        %c = load i32, ptr %b
        %d = add nsw i32 %a, %c
        %e = icmp slt i32 %d, 100000
        br i1 %e, label %small, label %large
      small:
        ret i32 %d
      large:
        %f = call i32 @sum(i32 7, ptr %b)
        ret i32 %f
      })",
    R"(
      define void @f() !dbg !4 {
        ret void, !dbg !7
      }
      !llvm.dbg.cu = !{!0}
      !llvm.module.flags = !{!2, !3}
      !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
      !1 = !DIFile(filename: "f.c", directory: "/src")
      !2 = !{i32 2, !"Debug Info Version", i32 3}
      !3 = !{i32 7, !"Dwarf Version", i32 5}
      !4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5,
                                  spFlags: DISPFlagDefinition, unit: !0)
      !5 = !DISubroutineType(types: !6)
      !6 = !{null}
      !7 = !DILocation(line: 300, column: 70, scope: !4))",
};

constexpr const char *kC = R"(
#include <stdio.h>
#include <string.h>
struct node { int key; double weight; struct node *next; } table[50];
static const unsigned char bytes[300] = {1, 2, 3, 255, 254};
int find(struct node *n, int key) {
  for (; n; n = n->next)
    switch (key - n->key) { case 0: return 1; case -5: return 2; case 77: return bytes[key]; }
  return printf("%d %s\n", key, strchr("not found", key)), 0;
}
__int128 wide(__int128 a) { return a * 0x123456789abcdefLL; }
)";

constexpr const char *kCxx = R"(
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
template <typename T> struct Box { virtual ~Box() = default; virtual T get() { return value; } T value; };
int count(const std::vector<std::string> &words) {
  std::map<std::string, int> seen;
  try {
    for (auto &word : words)
      if (++seen[word] > 3) throw std::runtime_error(word);
  } catch (const std::exception &) { return -1; }
  return Box<int>().get();
}
)";

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void compile(const char *compiler, const char *name, const char *source,
             std::vector<std::string> &modules) {
  std::ofstream(name) << source;
  for (const char *level : {"-O0", "-O2"}) {
    std::string command = std::string(compiler) + " -g -emit-llvm -c -o compiled.bc " + level;
    EXPECT_EQ(std::system((command + " " + name).c_str()), 0) << command;
    modules.push_back(readFile("compiled.bc"));
    EXPECT_GT(modules.back().size(), 1000u);
  }
  std::remove("compiled.bc");
  std::remove(name);
}

} // namespace

std::string assemble(const char *text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  if (module)
    llvm::WriteBitcodeToFile(*module, stream);
  return bitcode;
}

std::vector<std::string> smallModules() {
  std::vector<std::string> modules;
  for (const char *text : kModules)
    modules.push_back(assemble(text));
  return modules;
}

std::vector<std::string> compiledModules() {
  std::vector<std::string> modules;
  compile("clang-19", "compiled.c", kC, modules);
  compile("clang++-19", "compiled.cpp", kCxx, modules);
  return modules;
}

} // namespace culprit
