// How often control enters a line: graphs by hand, counts by thought.
#include "report/line_counts.h"

#include <gtest/gtest.h>

using namespace culprit;

namespace {

struct Edge {
  uint32_t from, to;
  bool isUnwind = false;
};

/// A function whose block i has one site on line lines[i], or is a step if that is 0, with edges in
/// block order.
class Graph {
public:
  Graph(std::vector<uint32_t> lines, std::vector<Edge> edges) {
    table_.strings = {"", "a.c", "/src", "f"};
    table_.files = {{0, 0}, {1, 2}};
    uint32_t count = static_cast<uint32_t>(lines.size());
    table_.functions = {{3, 1, 1, 0, count, 0, count}};
    table_.counterCount = count;
    std::vector<uint32_t> out(count), in(count);
    for (Edge edge : edges)
      ++out[edge.from], ++in[edge.to];
    for (uint32_t i = 0; i < count; ++i) {
      table_.sites.push_back({1, lines[i], 1, 0, i, 0, SiteKind::Compute});
      SiteBlock block{i, 1, static_cast<uint32_t>(table_.edges.size()), out[i], lines[i] == 0};
      for (auto [from, to, isUnwind] : edges)
        if (from == i) {
          bool isCritical = out[from] > 1 && in[to] > 1 && !isUnwind;
          table_.edges.push_back(
              {from, to, isCritical ? table_.counterCount++ : kNoCounter, isUnwind});
        }
      table_.blocks.push_back(block);
    }
  }

  /// Counts per line; `counters` has one number per block, then one per critical edge.
  std::map<uint32_t, uint64_t> count(std::vector<uint64_t> counters) const {
    EXPECT_EQ(counters.size(), table_.counterCount);
    LineCounts counts;
    counts.add(table_, counters);
    return counts.files().at(0).lines;
  }

  const SiteTable &table() const { return table_; }

private:
  SiteTable table_;
};

using Lines = std::map<uint32_t, uint64_t>;

TEST(LineCounts, StraightLine) {
  EXPECT_EQ(Graph({1, 2}, {{0, 1}}).count({3, 3}), (Lines{{1, 3}, {2, 3}}));
}

TEST(LineCounts, ALineInTwoBlocksIsEnteredOnce) {
  // if (a) b; else c; all on line 1, then line 2
  Graph graph({1, 1, 1, 2}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  EXPECT_EQ(graph.count({10, 4, 6, 10}), (Lines{{1, 10}, {2, 10}}));
}

TEST(LineCounts, BranchesOnTheirOwnLines) {
  Graph graph({1, 2, 3, 4}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  EXPECT_EQ(graph.count({10, 4, 6, 10}), (Lines{{1, 10}, {2, 4}, {3, 6}, {4, 10}}));
}

TEST(LineCounts, ALoopOnOneLineCountsItsRounds) {
  // 1: entry; 2: while (test) body, in two blocks; 3: exit
  Graph graph({1, 2, 2, 3}, {{0, 1}, {1, 2}, {1, 3}, {2, 1}});
  EXPECT_EQ(graph.count({1, 6, 5, 1}), (Lines{{1, 1}, {2, 6}, {3, 1}}));
}

TEST(LineCounts, ALoopOverTwoLines) {
  Graph graph({1, 2, 3, 4}, {{0, 1}, {1, 2}, {1, 3}, {2, 1}});
  EXPECT_EQ(graph.count({1, 6, 5, 1}), (Lines{{1, 1}, {2, 6}, {3, 5}, {4, 1}}));
}

TEST(LineCounts, CriticalEdgesHaveTheirOwnCounter) {
  // 1 may skip 2: if (a) 2; 3. Edge 0->2 is critical.
  Graph graph({1, 2, 3}, {{0, 1}, {0, 2}, {1, 2}});
  EXPECT_EQ(graph.count({9, 4, 9, 5}), (Lines{{1, 9}, {2, 4}, {3, 9}}));
}

TEST(LineCounts, AStepDoesNotLeaveTheLine) {
  // 5: a destructor, then where to go after the clean-ups (a step), then the end of the scope.
  // The scope is also left before the object is made (0->2) and by a jump (2->4).
  Graph graph({1, 5, 0, 5, 6}, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {2, 4}, {3, 4}});
  EXPECT_EQ(graph.count({10, 6, 10, 5, 10, 4, 5}), (Lines{{1, 10}, {5, 6}, {6, 10}}));
  EXPECT_EQ(graph.count({10, 2, 10, 5, 10, 8, 5}), (Lines{{1, 10}, {5, 5}, {6, 10}}));
}

TEST(LineCounts, StepsAfterEachOther) {
  Graph graph({1, 5, 0, 0, 5, 6}, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {2, 5}, {3, 4}, {3, 5}, {4, 5}});
  EXPECT_EQ(graph.count({10, 6, 10, 7, 5, 10, 4, 3, 2}), (Lines{{1, 10}, {5, 6}, {6, 10}}));
}

TEST(LineCounts, ALoopOnOneLineThroughAStep) {
  // 1: entry; 2: for (...) body, whose clean-ups lead back or out; 3: exit
  Graph graph({1, 2, 0, 3}, {{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  EXPECT_EQ(graph.count({1, 6, 6, 1, 5}), (Lines{{1, 1}, {2, 6}, {3, 1}}));
}

TEST(LineCounts, ACallThatEndsTheProgramDoesNotUnwind) {
  // 1 and 2 end with calls that may throw, to 4; one call exits
  Graph graph({1, 2, 3, 4}, {{0, 1}, {0, 3, true}, {1, 2}, {1, 3, true}});
  EXPECT_EQ(graph.count({10, 9, 7, 2}), (Lines{{1, 10}, {2, 9}, {3, 7}, {4, 2}}));
  EXPECT_EQ(graph.count({10, 9, 7, 0}), (Lines{{1, 10}, {2, 9}, {3, 7}, {4, 0}}));
}

TEST(LineCounts, NeverExecutedIsZero) {
  EXPECT_EQ(Graph({1, 2}, {{0, 1}}).count({0, 0}), (Lines{{1, 0}, {2, 0}}));
}

TEST(LineCounts, SeveralFunctionsOfALineAddUp) {
  Graph graph({1, 2}, {{0, 1}});
  LineCounts counts;
  counts.add(graph.table(), {3, 3});
  counts.add(graph.table(), {4, 4});
  ASSERT_EQ(counts.files().size(), 1U);
  EXPECT_EQ(counts.files()[0].lines.at(2), 7U);
}

TEST(LineCounts, TextSaysWhenTheSourceIsGone) {
  LineCounts counts;
  counts.add(Graph({1, 2}, {{0, 1}}).table(), {3, 0});
  std::string text = printLineCounts(counts.files());
  EXPECT_NE(text.find("Source:a.c"), std::string::npos);
  EXPECT_NE(text.find("source file not found"), std::string::npos);
  EXPECT_NE(text.find("        3:    1:"), std::string::npos);
  EXPECT_NE(text.find("    #####:    2:"), std::string::npos);
  EXPECT_NE(lineCountsAsJson(counts.files()).find("\"count\": 3"), std::string::npos);
}

} // namespace
