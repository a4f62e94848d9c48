// Parts of modules: what can be one, and what each object then has.
#include "compiler/twin/part_names.h"
#include "compiler/twin/parts.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

using namespace culprit;

namespace {

constexpr char kModule[] = R"(
$pair = comdat any
$inline = comdat any

@.str = private unnamed_addr constant [3 x i8] c"ab\00"
@count = internal global i32 0
@seen = global ptr @.str
@labels = internal global [1 x ptr] [ptr blockaddress(@jumps, %one)]
@llvm.used = appending global [1 x ptr] [ptr @seen]
@again = alias ptr (i32), ptr @part

declare void @outside(ptr)

define ptr @part(i32 %x) {
  %y = call i32 @local(i32 %x)
  %z = call i32 @eager(i32 %y)
  store i32 %z, ptr @count
  call void @outside(ptr @seen)
  ret ptr @.str
}
define internal i32 @local(i32 %x) {
  ret i32 %x
}
define internal i32 @eager(i32 %x) alwaysinline {
  ret i32 %x
}
define void @jumps() {
  br label %one
one:
  ret void
}
define linkonce_odr void @inline() comdat {
  ret void
}
define linkonce_odr void @first() comdat($pair) {
  ret void
}
define linkonce_odr void @second() comdat($pair) {
  ret void
}
)";

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(kModule, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return module;
}

std::set<std::string> definitionsOf(const llvm::Module &module) {
  std::set<std::string> names;
  for (const llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclarationForLinker() && !value.hasLocalLinkage())
      names.insert(value.getName().str());
  return names;
}

TEST(Parts, WhatCanBeReplaced) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context);
  EXPECT_EQ(replaceableFunctions(*module, false),
            (std::set<std::string>{"part", "local", "inline"}));
  module->getFunction("part")->setDSOLocal(true);
  EXPECT_EQ(replaceableFunctions(*module, true), (std::set<std::string>{"local", "inline"}));
}

TEST(Parts, ThePartRefersToTheOpenTwin) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> open = parse(context), part = parse(context);
  LocalSymbols(*open).share("0123456789abcdef0123");
  LocalSymbols locals(*part);
  emptyOthers(*part, "part");
  EXPECT_FALSE(part->getFunction("local")->isDeclaration());
  locals.share("0123456789abcdef0123");
  keepPart(*part, *part->getFunction("part"));
  EXPECT_FALSE(llvm::verifyModule(*part, &llvm::errs()));
  EXPECT_EQ(definitionsOf(*part), (std::set<std::string>{"part", "again"}));
  std::set<std::string> defined = definitionsOf(*open);
  for (const llvm::GlobalValue &value : part->global_values())
    if (value.isDeclarationForLinker() && value.getName() != "outside")
      EXPECT_TRUE(defined.contains(value.getName().str())) << value.getName().str();
  for (const char *dropped : {"jumps", "inline", "first", "labels", "llvm.used"})
    EXPECT_FALSE(part->getNamedValue(dropped)) << dropped;
}

TEST(Parts, NamesInTheSource) {
  EXPECT_EQ(withoutSharedMark("plain"), "plain");
  EXPECT_EQ(withoutSharedMark("local.culprit.0123.7"), "local");
  EXPECT_EQ(withoutSharedMark("_ZL5localv.culprit.0123.7"), "_ZL5localv");
  EXPECT_EQ(withoutSharedMark("local() (.culprit.0123.7)"), "local()");
}

} // namespace
