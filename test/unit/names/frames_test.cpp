// Names of locals: frames by hand, types from the stored bitcode of programs/frames.c.
#include "abi/memory_map.h"
#include "analysis/names/names.h"
#include "running_program.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

constexpr uint64_t kTop = abi::kThreadSlots + 0x1000; ///< frames above are live

/// Shapes with the keys 10 (main), 20 (fill) and 30 (recurse).
class Shapes : public PlacedFrames {
public:
  Shapes() {
    main_ = {"main", "frames.c", 20, {{"", 0, 8}, {"tmp", 8, 4}, {"lines", 16, 96}}, 128};
    main_.members.push_back({"", 120, 8, true});
    fill_ = {"fill", "frames.c", 8, {{"count", 0, 4}, {"line", 16, 32}, {"", 56, 8, true}}, 64};
    twice_ = {"twice", "frames.c", 14, {{"same", 0, 8}, {"same", 8, 8}}, 16};
    twice_.members[0].line = 15;
    twice_.members[1].line = 17;
  }
  const PlacedFrame *find(uint64_t key) const override {
    return key == 10 ? &main_ : key == 20 ? &fill_ : key == 30 ? &twice_ : nullptr;
  }

private:
  PlacedFrame main_, fill_, twice_;
};

class FramesTest : public testing::Test {
protected:
  FramesTest()
      : path_(compileProgram("frames.c", "-O0")), program_(loadProgram(path_)),
        names_(&program_, {{path_, 0}}, &shapes_) {
    record_.frameTop = kTop;
    add(kTop - 0x100, 20, 64); // has returned
    add(kTop, abi::kBlockNote, 40);
    add(kTop + 0x40, 20, 64);
    add(kTop + 0x80, 30, 16);
    add(kTop + 0x100, 10, 128);
    add(kTop + 0x9000, 99, 128); // no shape
  }

  void add(uint64_t address, uint64_t function, uint64_t size) {
    record_.frames[record_.frameCount++] = {address, function, size};
  }
  std::string at(uint64_t address) { return names_.describe(address, &record_); }

  std::filesystem::path path_;
  Program program_;
  Shapes shapes_;
  abi::FailureRecord record_{};
  Names names_;
};

TEST_F(FramesTest, LocalsOfLiveFunctions) {
  EXPECT_EQ(at(kTop + 0x108), "`tmp` in `main`");
  EXPECT_EQ(at(kTop + 0x110 + 24 + 5), "`lines[1].text[5]` in `main`");
  EXPECT_EQ(at(kTop + 0x100), "a temporary in `main`");
  EXPECT_EQ(at(kTop + 0x40 + 16 + 31), "`line[31]` in `fill`");
}

TEST_F(FramesTest, StrayAddresses) {
  EXPECT_EQ(at(kTop + 0x40 + 48), "just past `line` (32 bytes) in `fill`");
  EXPECT_EQ(at(kTop + 0x40 + 51), "3 bytes past `line` (32 bytes) in `fill`");
  EXPECT_EQ(at(kTop + 0x40 + 8), "4 bytes past `count` (4 bytes) in `fill`");
  EXPECT_EQ(at(kTop + 0x40 + 12), "4 bytes before `line` (32 bytes) in `fill`");
  EXPECT_EQ(at(kTop + 0x180 + 4095), "4095 bytes past the return address of `main`");
  EXPECT_EQ(at(kTop + 0x5000), "in the memory for locals, near none of a function that is known");
  EXPECT_EQ(at(abi::kThreadSlots + abi::kMachineStackDistance + 64), "on the machine stack");
}

TEST_F(FramesTest, ReturnSlots) {
  EXPECT_EQ(at(kTop + 0x40 + 56), "the return address of `fill`");
}

TEST_F(FramesTest, DeadLocals) {
  EXPECT_EQ(at(kTop - 0x100 + 16 + 3), "`line[3]` (dead: its function `fill` has returned)");
  EXPECT_EQ(at(kTop - 0x100 + 56), "the return address of `fill` (which has returned)");
}

TEST_F(FramesTest, VariableLengthArrays) {
  EXPECT_EQ(at(kTop + 12), "`vla[3]` in `fill`");
  EXPECT_EQ(at(kTop + 43), "3 bytes past `vla` (40 bytes) in `fill`");
}

TEST_F(FramesTest, LocalsOfOneName) {
  EXPECT_EQ(at(kTop + 0x80 + 4), "`same[1]` in `twice`");
  EXPECT_EQ(at(kTop + 0x88 + 4), "byte 4 of `same` in `twice`");
}

TEST_F(FramesTest, Ranges) {
  names_.addRange({"argv", 0x7000'0000'0000, 24, 8, true});
  names_.addRange({"argv[1]", 0x7000'0000'0100, 6, 1, true});
  names_.addRange({"libc.so.6's memory", 0x7100'0000'0000, 0x20'0000, 0});
  EXPECT_EQ(at(0x7000'0000'0008), "`argv[1]`");
  EXPECT_EQ(at(0x7000'0000'0018), "just past `argv` (24 bytes)");
  EXPECT_EQ(at(0x6fff'ffff'fff8), "no memory of the program");
  EXPECT_EQ(at(0x7000'0000'00ff), "231 bytes past `argv` (24 bytes)");
  EXPECT_EQ(at(0x7000'0000'0103), "`argv[1][3]`");
  EXPECT_EQ(at(0x7000'0000'0106), "just past `argv[1]` (6 bytes)");
  EXPECT_EQ(at(0x7100'0001'0000), "in libc.so.6's memory");
}

TEST_F(FramesTest, NoRecord) {
  EXPECT_EQ(names_.describe(kTop + 0x108),
            "in the memory for locals, near none of a function that is known");
}

TEST_F(FramesTest, AsData) {
  AddressName name = names_.name(kTop + 0x40 + 51, &record_);
  EXPECT_EQ(name.kind, MemoryKind::Local);
  EXPECT_EQ(name.object, "line");
  EXPECT_EQ(name.position, Position::Past);
  EXPECT_EQ(name.distance, 3U);
  EXPECT_EQ(name.size, 32U);
  EXPECT_EQ(name.address, kTop + 0x40 + 16);
}

} // namespace
} // namespace culprit
