// Site tables as bytes.
#include "compiler/sites/site_table.h"

#include <exception>
#include <gtest/gtest.h>

using namespace culprit;

namespace {

SiteTable sample() {
  SiteTable table;
  table.strings = {"", "main.c", "/src", "main", "n"};
  table.files = {{0, 0}, {1, 2}};
  table.sites = {{1, 3, 7, 0, 0, 4, SiteKind::Define}, {1, 4, 1, 0, 1, 0, SiteKind::Return}};
  table.functions = {{3, 1, 2, 0, 2, 0, 2}};
  table.blocks = {{0, 1, 0, 1, 0}, {1, 1, 1, 0, 1}};
  table.edges = {{0, 1, kNoCounter, 0}};
  table.counterCount = 2;
  return table;
}

TEST(SiteTable, ComesBackAsItWas) {
  std::string bytes = sample().serialise();
  SiteTable table = SiteTable::parse(bytes);
  EXPECT_EQ(table.strings, sample().strings);
  EXPECT_EQ(table.sites.size(), 2U);
  EXPECT_EQ(table.sites[0].line, 3U);
  EXPECT_EQ(table.sites[0].kind, SiteKind::Define);
  EXPECT_EQ(table.functions[0].blockCount, 2U);
  EXPECT_EQ(table.edges[0].counter, kNoCounter);
  EXPECT_EQ(table.counterCount, 2U);
  EXPECT_EQ(table.serialise(), bytes);
}

TEST(SiteTable, AnEmptyOneToo) {
  EXPECT_EQ(SiteTable::parse(SiteTable().serialise()).serialise(), SiteTable().serialise());
}

TEST(SiteTable, EveryCutIsNoticed) {
  std::string bytes = sample().serialise();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(SiteTable::parse(std::string_view(bytes).substr(0, size)), std::exception) << size;
}

TEST(SiteTable, LengthsThatLieAreNoticed) {
  std::string bytes = sample().serialise();
  for (size_t i = 0; i < 8; ++i) {
    std::string damaged = bytes;
    damaged[i] = '\xff';
    EXPECT_THROW(SiteTable::parse(damaged), std::exception) << i;
  }
}

} // namespace
