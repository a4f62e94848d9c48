// Layouts: placement of frames, names, and JSON in and out.
#include "compiler/layout/catalog.h"
#include "compiler/layout/layout.h"
#include "support/diagnostics.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

FrameShape shapeOf(std::vector<FrameMember> locals) {
  FrameShape shape{"f", "a.c", 1, {}};
  shape.members.push_back({MemberKind::ReturnSlot, "", 0, 8, 8, false});
  shape.members.push_back({MemberKind::SavedBase, "", 0, 8, 8, false});
  shape.members.insert(shape.members.end(), locals.begin(), locals.end());
  return shape;
}

const FrameMember kText{MemberKind::Local, "text", 2, 24, 16, true};
const FrameMember kNumber{MemberKind::Local, "number", 3, 4, 4, false};

TEST(Placement, IsThatOfClangWithoutOptimisation) {
  // rbp is at 0x30: the return address above it, text at rbp-32, number at rbp-36.
  FramePlacement placed = placeMembers(shapeOf({kText, kNumber}));
  EXPECT_EQ(placed.size, 0x40U);
  EXPECT_EQ(placed.offsets, (std::vector<uint64_t>{0x38, 0x30, 0x10, 0x0c}));
  EXPECT_TRUE(placed.guards.empty());
}

TEST(Placement, FollowsTheOrderAndLeavesOutWhatIsNotNamed) {
  FramePlacement placed = placeMembers(shapeOf({kText, kNumber}), {3, 0, 2});
  EXPECT_EQ(placed.offsets[3] + 4, placed.size);
  EXPECT_LT(placed.offsets[2], placed.offsets[0]);
}

TEST(Placement, LeavesNoGapBehindABufferThatIsPutElsewhere) {
  FramePlacement placed = placeMembers(shapeOf({kText, kNumber}), {3, 0, 2});
  EXPECT_EQ(placed.offsets[2] + 24, placed.offsets[0]);
  EXPECT_EQ(placed.offsets[2] % 16, 0U);
  EXPECT_LE(placed.offsets[0] + 8, placed.offsets[3]);
}

TEST(Placement, PutsGuardsRightBehindBuffers) {
  FramePlacement placed = placeMembers(shapeOf({kText, kNumber}), {}, 16);
  ASSERT_EQ(placed.guards.size(), 1U);
  EXPECT_EQ(placed.guards[0].offset, placed.offsets[2] + 24);
  EXPECT_GE(placed.guards[0].size, 16U);
  EXPECT_LE(placed.guards[0].offset + placed.guards[0].size, placed.offsets[1]);
}

TEST(Placement, PutsGuardsRightInFrontOfBuffers) {
  FramePlacement placed = placeMembers(shapeOf({kText, kNumber}), {}, 0, 16);
  ASSERT_EQ(placed.guards.size(), 1U);
  EXPECT_EQ(placed.guards[0].offset + placed.guards[0].size, placed.offsets[2]);
  EXPECT_EQ(placed.guards[0].size, 16U);
  EXPECT_LE(placed.offsets[3] + 4, placed.guards[0].offset);
}

TEST(Placement, AlignsTheFrameForItsMembers) {
  FrameMember wide{MemberKind::Local, "wide", 2, 40, 64, true};
  FramePlacement placed = placeMembers(shapeOf({kNumber, wide}));
  EXPECT_EQ(placed.size % 64, 0U);
  EXPECT_EQ(placed.offsets[3] % 64, 0U);
}

Catalog catalogOf(const std::string &program) {
  CatalogModule first{"0123456789ab", 0, {}};
  first.table.frames.push_back(shapeOf({kText, kNumber}));
  first.table.globals = {{"table", "a.c", ".data.0123456789.0", false, true},
                         {"count", "a.c", ".bss.0123456789.1", true, false}};
  CatalogModule second{"ba9876543210", 0, {}};
  second.table.globals = {{"count", "b.c", ".bss.ba98765432.0", true, false}};
  return Catalog(program, {first, second});
}

TEST(CatalogTest, TheDefaultLayoutIsAccepted) {
  Catalog catalog = catalogOf("prog");
  Layout layout = catalog.defaultLayout();
  EXPECT_EQ(layout.globals, (std::vector<std::string>{"table", "a.c:count", "b.c:count"}));
  EXPECT_EQ(layout.functions["f"],
            (std::vector<std::string>{"number", "text", "(base)", "(return)"}));
  Layout read = parseLayout(layoutAsJson(layout), "file");
  EXPECT_EQ(read.linkIdentity(), layout.linkIdentity());
  catalog.check(read, "file");
  EXPECT_EQ(catalog.placeFrames(read, 0)[0].offsets, catalog.placeFrames({}, 0)[0].offsets);
}

TEST(CatalogTest, ScriptNamesSectionsInOrder) {
  Layout layout;
  layout.globals = {"b.c:count", "table"};
  std::string script = catalogOf("prog").globalScript(layout, 0);
  size_t first = script.find("*(.bss.ba98765432.0)");
  size_t second = script.find("*(.data.0123456789.0)");
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(first, second);
  EXPECT_EQ(script.find("culprit_guards"), std::string::npos);
  EXPECT_EQ(catalogOf("prog").globalScript(layout, 1), "");
}

std::string errorOf(const Layout &layout) {
  try {
    catalogOf("prog").check(layout, "file");
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "";
}

TEST(CatalogTest, SaysWhatIsWrong) {
  Layout layout;
  layout.program = "other";
  EXPECT_NE(errorOf(layout).find("another program"), std::string::npos);
  layout = {};
  layout.globals = {"table", "table"};
  EXPECT_NE(errorOf(layout).find("twice"), std::string::npos);
  layout = {};
  layout.functions["f"] = {"number", "text", "(return)"};
  EXPECT_EQ(errorOf(layout), "");
  layout.functions["f"].emplace_back("number");
  EXPECT_NE(errorOf(layout).find("each of them once"), std::string::npos);
  layout.functions["f"] = {"number", "text"};
  EXPECT_NE(errorOf(layout).find("(return), text, number"), std::string::npos);
}

TEST(CatalogTest, HoldsForTheModulesThatItFits) {
  CatalogModule first{"0123456789ab", 0, {}};
  first.table.frames.push_back(shapeOf({kText, kNumber}));
  CatalogModule second{"ba9876543210", 0, {}};
  second.table.frames.push_back(shapeOf({kText}));
  Catalog catalog("prog", {first, second});
  Layout layout;
  layout.functions["f"] = {"text", "(return)", "number"};
  catalog.check(layout, "file");
  EXPECT_NE(catalog.placeFrames(layout, 0)[0].offsets, catalog.placeFrames({}, 0)[0].offsets);
  EXPECT_EQ(catalog.placeFrames(layout, 1)[0].offsets, catalog.placeFrames({}, 1)[0].offsets);
}

TEST(LayoutJson, RejectsWhatItDoesNotKnow) {
  for (const char *text : {"[]", "{\"heap\": {\"odrer\": \"up\"}}", "{\"fill\": {\"fresh\": -1}}",
                           "{\"guard\": \"16\"}", "{\"globals\": [1]}"})
    EXPECT_THROW(parseLayout(text, "file"), Failure) << text;
}

} // namespace
} // namespace culprit
