// What the linker shim makes of a linker's command line, and what it records of paths.
#include "compiler/wrapper/link_line.h"
#include "compiler/wrapper/link_record.h"
#include <gtest/gtest.h>
#include <set>

namespace culprit {
namespace {

using Words = std::vector<std::string>;

LinkLine parse(const Words &args, const std::set<std::string> &files = {}) {
  return parseLinkLine(args, [&](const std::string &path) { return files.count(path) != 0; });
}

Words paths(const LinkLine &line) {
  Words result;
  for (const LinkInput &input : line.inputs)
    result.push_back(input.path);
  return result;
}

TEST(LinkLine, ValuesInWordsOfTheirOwnAreNoInputs) {
  for (const char *option : {"-z",
                             "-m",
                             "-T",
                             "-h",
                             "-soname",
                             "--soname",
                             "-rpath",
                             "-dynamic-linker",
                             "--dynamic-linker",
                             "-plugin",
                             "-e",
                             "-u",
                             "-y",
                             "-Map",
                             "--version-script",
                             "-o",
                             "-L",
                             "-R",
                             "-rpath-link",
                             "--wrap",
                             "--defsym",
                             "-plugin-opt",
                             "-mllvm",
                             "--dynamic-list"})
    EXPECT_EQ(paths(parse({"a.o", option, "value", "b.o"})), Words({"a.o", "b.o"})) << option;
}

TEST(LinkLine, JoinedValuesAndFlagsTakeNoWord) {
  for (const char *option : {"-zrelro",
                             "-melf_x86_64",
                             "-Tx.ld",
                             "-soname=x",
                             "--soname=x",
                             "-ox",
                             "-Lx",
                             "-emain",
                             "--hash-style=gnu",
                             "-plugin-opt=x",
                             "--eh-frame-hdr",
                             "-eh-frame-hdr",
                             "-export-dynamic",
                             "-as-needed",
                             "--as-needed",
                             "-build-id=sha1",
                             "--build-id",
                             "-pie",
                             "-O1",
                             "-s",
                             "-S",
                             "--start-group",
                             "-(",
                             "-)",
                             "--whole-archive",
                             "-Ttext=0",
                             "--gc-sections",
                             "-call_shared"})
    EXPECT_EQ(paths(parse({"a.o", option, "b.o"})), Words({"a.o", "b.o"})) << option;
}

TEST(LinkLine, OutputKindAndEmulation) {
  EXPECT_EQ(parse({"a.o", "-pie"}).output, "executable");
  EXPECT_EQ(parse({"a.o", "-shared"}).output, "shared");
  EXPECT_EQ(parse({"a.o", "--shared"}).output, "shared");
  EXPECT_EQ(parse({"a.o", "-r"}).output, "relocatable");
  EXPECT_EQ(parse({"a.o", "--relocatable"}).output, "relocatable");
  EXPECT_EQ(parse({"-m", "elf_i386", "a.o"}).emulation, "elf_i386");
  EXPECT_TRUE(parse({"--version"}).query);
}

TEST(LinkLine, InputFormat) {
  EXPECT_TRUE(parse({"-b", "binary", "a.txt"}).foreignFormat);
  EXPECT_TRUE(parse({"--format=binary", "a.txt"}).foreignFormat);
  EXPECT_FALSE(parse({"-b", "binary", "a.txt", "-b", "default"}).foreignFormat);
  EXPECT_FALSE(parse({"-build-id=none", "a.o"}).foreignFormat);
}

TEST(LinkLine, LibrariesAreFoundInAnyFolderOfTheLine) {
  std::set<std::string> files{"one/libx.a", "two/libx.so", "two/libx.a", "/root/lib/libs.so",
                              "two/odd.name"};
  EXPECT_EQ(paths(parse({"-lx", "-Lone", "-Ltwo"}, files)), Words({"one/libx.a"}));
  EXPECT_EQ(paths(parse({"-L", "two", "-l", "x"}, files)), Words({"two/libx.so"}));
  EXPECT_EQ(paths(parse({"-Ltwo", "-Bstatic", "-lx", "-Bdynamic", "-lx"}, files)),
            Words({"two/libx.a", "two/libx.so"}));
  EXPECT_EQ(paths(parse({"-static", "-Ltwo", "-lx"}, files)), Words({"two/libx.a"}));
  EXPECT_EQ(paths(parse({"-Ltwo", "-l:odd.name"}, files)), Words({"two/odd.name"}));
  EXPECT_EQ(paths(parse({"--sysroot=/root", "-L=/lib", "-ls"}, files)),
            Words({"/root/lib/libs.so"}));
  EXPECT_EQ(paths(parse({"-lnone"}, files)), Words({""}));
}

TEST(LinkLine, TheIndexIsThatOfTheOption) {
  LinkLine line = parse({"a.o", "-L", "d", "-l", "x", "b.o"}, {"d/libx.a"});
  ASSERT_EQ(line.inputs.size(), 3u);
  EXPECT_EQ(line.inputs[1].arg, 3u);
  EXPECT_EQ(line.inputs[2].arg, 5u);
}

TEST(LinkRecord, TheLastPrefixMapWins) {
  PrefixMaps maps = parsePrefixMaps("/a=x\n/a/b=y\n/e=\n");
  EXPECT_EQ(mapPath("/a/b/c", maps), "y/c");
  EXPECT_EQ(mapPath("/a/c", maps), "x/c");
  EXPECT_EQ(mapPath("/e/c", maps), "/c");
  EXPECT_EQ(mapPath("b/a", maps), "b/a");
}

TEST(LinkRecord, PathsInsideArgumentsAreMapped) {
  PrefixMaps maps = parsePrefixMaps("/src=.\n");
  EXPECT_EQ(mapArgument("/src/a.o", maps), "./a.o");
  EXPECT_EQ(mapArgument("-L/src/lib", maps), "-L./lib");
  EXPECT_EQ(mapArgument("--version-script=/src/v.map", maps), "--version-script=./v.map");
  EXPECT_EQ(mapArgument("/src/a:/usr/lib:/src/b", maps), "./a:/usr/lib:./b");
  EXPECT_EQ(mapArgument("-lfoo", maps), "-lfoo");
}

TEST(LinkRecord, TemporaryObjectsLoseTheirRandomPart) {
  EXPECT_EQ(temporaryName("/tmp/a-01cdef.o", "/tmp"), "a.o");
  EXPECT_EQ(temporaryName("/tmp/x-y-01cdef.o", "/tmp"), "x-y.o");
  EXPECT_EQ(temporaryName("/tmp/d/a-01cdef.o", "/tmp"), std::nullopt);
  EXPECT_EQ(temporaryName("/tmp/a-01cdeg.o", "/tmp"), std::nullopt);
  EXPECT_EQ(temporaryName("/tmp/a.o", "/tmp"), std::nullopt);
  EXPECT_EQ(temporaryName("a-01cdef.o", "/tmp"), std::nullopt);
}

} // namespace
} // namespace culprit
