// Programs say what their addresses should be called; see programs/.
#include "analysis/names/names.h"
#include "running_program.h"
#include "support/diagnostics.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

/// Names everything that a program says, and compares.
void checkProgram(const std::string &source, const std::string &flags, bool mayReadMemory) {
  RunningProgram running(source, flags);
  Program program = loadProgram(running.path());
  Names names(&program, {{running.path(), 0}}, nullptr, mayReadMemory ? &running : nullptr);
  DebugImage image(running.path());
  for (const Said &said : running.threadLocals())
    for (const ImageVariable &variable : image.threadLocals())
      if (variable.name == said.text)
        names.addThreadBlock({0, 1, said.address - variable.address});
  EXPECT_FALSE(running.said().empty()) << source << " said nothing";
  for (const Said &said : running.said()) {
    abi::FailureRecord record = running.recordFor(said.address);
    std::string text = names.describe(said.address, &record);
    if (said.text.ends_with('*')) { // what follows is left open
      std::string start = said.text.substr(0, said.text.size() - 1);
      EXPECT_EQ(text.substr(0, start.size()), start) << text;
    } else {
      EXPECT_EQ(text, said.text) << source << " " << flags;
    }
  }
}

TEST(Names, Globals) {
  checkProgram("globals.c", "-O0", false);
}

TEST(Names, GlobalsOfOtherDwarf) {
  checkProgram("globals.c", "-O1 -gdwarf-4", false);
}

TEST(Names, HeapBlocks) {
  checkProgram("heap.c", "-O0", false);
}

TEST(Names, HeapBlocksOfOptimisedCode) {
  checkProgram("heap.c", "-O2", false);
}

TEST(Names, ClassesAndContainers) {
  checkProgram("classes.cpp", "-O0", true);
}

TEST(Names, ClassesAndContainersOfOptimisedCode) {
  checkProgram("classes.cpp", "-O2", true);
}

TEST(Names, BlocksOfNew) {
  checkProgram("new.cpp", "-O0", false);
}

/// In the twin, too, variables have names; and in a library that is loaded somewhere.
TEST(Names, TwinAndLoadAddress) {
  std::filesystem::path path = compileProgram("globals.c", "-O2");
  Program program = loadProgram(path);
  Build build =
      makeBuild(program, {findMode("plain"), 1}, Cache(std::filesystem::current_path() / "cache"));
  abi::FailureRecord record{};
  record.imageCount = 1;
  record.images[0] = {0, 0x10000};
  Names names(&program, loadedImages(build, &record));
  DebugImage twin(build.executable());
  const ImageVariable *name = twin.findVariable("name");
  ASSERT_TRUE(name);
  EXPECT_EQ(names.describe(name->address + 0x10000 + 17, &record), "`name[17]`");
  const ImageVariable *config = twin.findVariable("config");
  ASSERT_TRUE(config);
  AddressName id = names.name(config->address + 0x10000 + 88, &record, /*accessSize=*/8);
  EXPECT_EQ(id.text, "`config.id.whole`");
  id = names.name(config->address + 0x10000 + 88, &record, /*accessSize=*/1);
  EXPECT_EQ(id.text, "`config.id.bytes[0]`");
}

TEST(Names, FileThatIsNoImage) {
  EXPECT_THROW(Names(nullptr, {{"/dev/null", 0}}), Failure);
  EXPECT_THROW(Names(nullptr, {{"/no/such/file", 0}}), Failure);
}

} // namespace
} // namespace culprit
