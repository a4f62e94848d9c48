// What makes inputs the same, the order of groups, and whom they name.
#include "analysis/triage/groups.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

LocatedInput input(const char *path, uint64_t bytes, int64_t causeLine, int64_t failureLine,
                   int64_t runs = 3) {
  LocatedInput made;
  made.path = path;
  made.bytes = bytes;
  made.located.runs = runs;
  made.located.verdict = causeLine ? "memory-corruption" : failureLine ? "not-found" : "no-failure";
  if (causeLine)
    made.located.cause = LocatedCause{{"a.c", causeLine, 1, "f"}, "", "is wrong"};
  if (failureLine)
    made.located.failure = LocatedFailure{"abort", "fails", {"a.c", failureLine, 1, "g"}};
  return made;
}

TEST(Groups, GoByCauseThenByFailure) {
  auto groups =
      groupInputs({input("fine", 1, 0, 0), input("one", 9, 4, 20), input("lost", 2, 0, 30),
                   input("two", 8, 5, 20), input("three", 7, 5, 21), input("lost2", 3, 0, 31),
                   input("fine2", 1, 0, 0)});
  ASSERT_EQ(groups.size(), 5U);
  EXPECT_EQ(groups[0].located().cause->place.line, 5);
  EXPECT_EQ(groups[0].failures.size(), 2U);
  EXPECT_EQ(groups[1].located().cause->place.line, 4);
  EXPECT_EQ(groups[2].located().verdict, "not-found");
  EXPECT_EQ(groups[3].located().verdict, "not-found");
  EXPECT_EQ(groups[4].located().verdict, "no-failure");
  EXPECT_EQ(groups[4].inputs.size(), 2U);
}

TEST(Groups, NameTheUsualAndTheSmallest) {
  auto groups = groupInputs({input("rare", 1, 5, 22), input("long", 90, 5, 20, 2),
                             input("usual", 10, 5, 20, 2), input("many", 5, 5, 20, 9)});
  ASSERT_EQ(groups.size(), 1U);
  const TriageGroup &group = groups[0];
  EXPECT_EQ(group.inputs[group.smallest].path, "rare");
  EXPECT_EQ(group.inputs[group.representative].path, "usual");
  EXPECT_EQ(group.failures[0].inputs, 3U);
}

TEST(Located, IsReadFromJson) {
  auto located = parseLocated(R"({"verdict": "memory-corruption", "failure": {"kind": "abort",
    "message": "m", "location": null}, "root_causes": [{"file": "a.c", "line": 4, "column": 2,
    "function": "f", "variable": null, "why": "w"}], "runs": {"original": 1, "tracing": 2},
    "reason": "", "seconds": 0.5})");
  ASSERT_TRUE(located);
  EXPECT_EQ(located->cause->place, (SourcePlace{"a.c", 4, 2, "f"}));
  EXPECT_EQ(located->failure->kind, "abort");
  EXPECT_EQ(located->failure->place, SourcePlace());
  EXPECT_EQ(located->runs, 3);
  EXPECT_FALSE(parseLocated("{\"verd"));
  EXPECT_FALSE(parseLocated("[1]"));
  EXPECT_FALSE(parseLocated("{\"status\": 1}"));
  EXPECT_FALSE(parseLocated(R"({"verdict": "not-found", "root_causes": [{"line": 4}]})")->cause);
}

} // namespace
} // namespace culprit
