// Dynamic entries of files that lie.
#include "compiler/loader/dynamic.h"

#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>

using namespace culprit;

namespace {

/// Header, three segments (all, PT_INTERP, PT_DYNAMIC), strings at 512, entries at 640.
struct File {
  Elf64_Ehdr header{};
  Elf64_Phdr segments[3] = {};
  char fill[512 - sizeof(Elf64_Ehdr) - 3 * sizeof(Elf64_Phdr)] = {};
  char strings[128] = "\0libx.so.1\0$ORIGIN/lib\0/old\0/lib64/ld.so";
  Elf64_Dyn entries[4] = {};

  File() {
    header.e_phoff = sizeof header;
    header.e_phnum = 3;
    segments[0] = {PT_LOAD, 0, 0, 0x1000, 0, sizeof(File), sizeof(File), 0};
    segments[1] = {PT_INTERP, 0, 512 + 28, 0, 0, 13, 13, 0};
    segments[2] = {PT_DYNAMIC, 0, 640, 0, 0, sizeof entries, sizeof entries, 0};
    entries[0] = {DT_STRTAB, {0x1000 + 512}};
    entries[1] = {DT_SONAME, {1}};
    entries[2] = {DT_RUNPATH, {11}};
  }
  std::string_view bytes() const { return {reinterpret_cast<const char *>(this), sizeof *this}; }
};

TEST(Dynamic, ReadsNamesAndPaths) {
  File file;
  DynamicInfo info = readDynamic(file.bytes());
  EXPECT_EQ(info.interpreter, "/lib64/ld.so");
  EXPECT_EQ(info.soname, "libx.so.1");
  EXPECT_EQ(info.runPath, "$ORIGIN/lib");
  EXPECT_FALSE(info.runPathIsOld);
}

TEST(Dynamic, RunPathGoesBeforeRpath) {
  File file;
  file.entries[3] = {DT_RPATH, {23}};
  EXPECT_EQ(readDynamic(file.bytes()).runPath, "$ORIGIN/lib");
  file.entries[2] = {DT_RPATH, {23}};
  EXPECT_EQ(readDynamic(file.bytes()).runPath, "/old");
  EXPECT_TRUE(readDynamic(file.bytes()).runPathIsOld);
}

TEST(Dynamic, PlacesOutsideOfTheFileAreLeftOut) {
  for (uint64_t place :
       {uint64_t{sizeof(File)}, ~uint64_t{0}, ~uint64_t{0} - 8, uint64_t{1} << 63}) {
    File file;
    file.segments[2].p_offset = place;
    EXPECT_EQ(readDynamic(file.bytes()).soname, "");
    file = File();
    file.segments[2].p_filesz = place;
    readDynamic(file.bytes());
    file = File();
    file.segments[1].p_offset = place;
    EXPECT_EQ(readDynamic(file.bytes()).interpreter, "");
    file = File();
    file.header.e_phoff = place;
    EXPECT_EQ(readDynamic(file.bytes()).interpreter, "");
    file = File();
    file.entries[0].d_un.d_ptr = place;
    EXPECT_EQ(readDynamic(file.bytes()).soname, "");
    file = File();
    file.entries[1].d_un.d_val = place;
    EXPECT_EQ(readDynamic(file.bytes()).soname, "");
    file = File();
    file.segments[0].p_offset = place;
    readDynamic(file.bytes());
  }
}

} // namespace
