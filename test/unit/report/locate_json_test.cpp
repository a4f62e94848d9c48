// The JSON of a located root cause, as scripts read it.
#include "report/locate_json.h"

#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

namespace culprit {
namespace {

Suspect suspectIn(const char *function) {
  Suspect suspect{};
  suspect.place.file = "shapes.cpp";
  suspect.place.line = 12;
  suspect.place.column = 3;
  suspect.place.function = function;
  suspect.why = "frees memory that is still used";
  suspect.instance = 4;
  return suspect;
}

TEST(LocateJson, InstanceHasPlaceThreadAndNumber) {
  LocateReport report;
  report.verdict = Verdict::MemoryCorruption;
  report.rootCauses = {suspectIn("_ZN6WidgetD2Ev")};
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(locateAsJson(report));
  ASSERT_TRUE(static_cast<bool>(parsed));
  const llvm::json::Object &cause =
      *parsed->getAsObject()->getArray("root_causes")->front().getAsObject();
  EXPECT_EQ(cause.getString("file"), "shapes.cpp");
  EXPECT_EQ(cause.getInteger("line"), 12);
  EXPECT_EQ(cause.getInteger("column"), 3);
  EXPECT_EQ(cause.getString("function"), "Widget::~Widget()"); // as in the failure's location
  EXPECT_EQ(cause.getInteger("thread"), 1);
  EXPECT_EQ(cause.getInteger("instance"), 4);
}

TEST(LocateJson, WhatIsNotKnownIsNull) {
  LocateReport report;
  report.rootCauses = {suspectIn("main")};
  report.rootCauses[0].instance = 0;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(locateAsJson(report));
  ASSERT_TRUE(static_cast<bool>(parsed));
  const llvm::json::Object &object = *parsed->getAsObject();
  EXPECT_EQ(object.getString("verdict"), "not-found");
  EXPECT_TRUE(object.getNull("failure").has_value());
  EXPECT_TRUE(object.getNull("layout").has_value());
  const llvm::json::Object &cause = *object.getArray("root_causes")->front().getAsObject();
  EXPECT_TRUE(cause.getNull("instance").has_value());
  EXPECT_TRUE(cause.getNull("variable").has_value());
  EXPECT_TRUE(cause.getNull("writes_to").has_value());
}

} // namespace
} // namespace culprit
