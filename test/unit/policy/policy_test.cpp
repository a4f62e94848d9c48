// The policy table: what its rows say, which of them are rejected, and which row a name gets.
#include "externals/policy/policy.h"
#include "support/diagnostics.h"

#include <gtest/gtest.h>

using namespace culprit;
using Kind = ExternalSize::Kind;

namespace {

ExternalFunction parseRow(const std::string &row) {
  return Policy::parse(row + "\n", "table").rows().begin()->second;
}

ExternalSize parseSize(const std::string &size) {
  return parseRow("f model in[" + size + "] value value -> value").arguments.at(0).size;
}

/// The message for a table whose second line is wrong.
std::string messageFor(const std::string &row) {
  try {
    Policy::parse("# comment\n" + row + "\n", "table");
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "accepted";
}

struct WrongRow {
  const char *row;
  const char *complaint;
};

class WrongRows : public testing::TestWithParam<WrongRow> {};

TEST_P(WrongRows, AreNamedWithTheirLine) {
  std::string message = messageFor(GetParam().row);
  EXPECT_TRUE(message.starts_with("table:2: ")) << message;
  EXPECT_NE(message.find(GetParam().complaint), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Policy, WrongRows,
    testing::Values(
        WrongRow{"f", "a row is NAME CATEGORY"},
        WrongRow{"f shin value -> value", "'shin' is no category"},
        WrongRow{"f shim valve -> value", "'valve' is no role"},
        WrongRow{"f shim value -> valve", "'valve' is no result"},
        WrongRow{"f shim value -> value enviroment", "'enviroment' is no effect"},
        WrongRow{"f shim value", "'-> RESULT' is missing"},
        WrongRow{"f shim value ->", "'-> RESULT' is missing"},
        WrongRow{"f shim in -> value", "has a size in brackets"},
        WrongRow{"f shim value[4] -> value", "has a size in brackets"},
        WrongRow{"f shim in[4 -> value", "']' is missing"},
        WrongRow{"f shim in[] -> value", "'' is no number"},
        WrongRow{"f shim in[four] -> value", "'four' is no number"},
        WrongRow{"f shim in[4x] -> value", "'4x' is no number"},
        WrongRow{"f shim in[4*4] -> value", "'4*4' is no size"},
        WrongRow{"f shim in[*4] value -> value", "'4' is no size"},
        WrongRow{"f shim in[*result] -> value", "'result' is no size"},
        WrongRow{"f shim in[result*#1] -> value", "'result' is multiplied with a number alone"},
        WrongRow{"f shim in[#x] value -> value", "'x' is no number"},
        WrongRow{"f shim in[#3] value -> value", "there is no argument #3"},
        WrongRow{"f shim in[*#3] value -> value", "there is no argument #3"},
        WrongRow{"f shim in[#2*#3] value -> value", "there is no argument #3"},
        WrongRow{"f shim in[#0] value -> value", "there is no argument #0"},
        WrongRow{"f shim in[#2*#0] value -> value", "there is no argument #0"},
        WrongRow{"f shim in[#4294967297] value -> value", "there is no argument #4294967297"},
        WrongRow{"f shim in[4] -> same", "same and within name an argument"},
        WrongRow{"f shim in[4] -> value#1", "same and within name an argument"},
        WrongRow{"f shim in[4] -> within#2", "there is no argument #2"},
        WrongRow{"f observe value -> value", "has a reason"}, WrongRow{"f refuse", "has a reason"},
        WrongRow{"f shim value -> value -- why", "only what is observed or refused has a reason"}));

TEST(Policy, NamesTheLineOfASecondRow) {
  EXPECT_EQ(messageFor("f shim -> value\n\nf pure -> value"), "table:4: 'f' has a row already");
}

TEST(Policy, ReadsARow) {
  ExternalFunction row = parseRow("read  model fd out[result] value -> count  input blocks");
  EXPECT_EQ(row.name, "read");
  EXPECT_EQ(row.category, Category::Model);
  ASSERT_EQ(row.arguments.size(), 3U);
  EXPECT_EQ(row.arguments[0].word, "fd");
  EXPECT_EQ(row.arguments[1].word, "out");
  EXPECT_EQ(row.arguments[1].size.kind, Kind::Result);
  EXPECT_FALSE(row.isVariadic);
  EXPECT_EQ(row.result.word, "count");
  EXPECT_EQ(row.effects, (std::vector<std::string>{"input", "blocks"}));
}

TEST(Policy, ReadsWhatIsUnknown) {
  ExternalFunction row = parseRow("syscall observe value ... -> value errno -- any system call");
  EXPECT_EQ(row.category, Category::Observe);
  EXPECT_TRUE(row.isVariadic);
  EXPECT_EQ(row.arguments.size(), 1U);
  EXPECT_EQ(row.reason, "any system call");
  EXPECT_TRUE(parseRow("_IO_* refuse -- internal").arguments.empty());
}

TEST(Policy, ReadsSizes) {
  EXPECT_EQ(parseSize("144").bytes, 144U);
  EXPECT_EQ(parseSize("144").kind, Kind::Bytes);
  EXPECT_EQ(parseSize("text").kind, Kind::Text);
  EXPECT_EQ(parseSize("#2").first, 2U);
  EXPECT_EQ(parseSize("#2").bytes, 1U);
  EXPECT_EQ(parseSize("#2*4").bytes, 4U);
  ExternalSize product = parseSize("#2*#3");
  EXPECT_EQ(product.kind, Kind::Argument);
  EXPECT_EQ(product.first, 2U);
  EXPECT_EQ(product.second, 3U);
  ExternalSize pointed = parseSize("*#2*#3");
  EXPECT_EQ(pointed.kind, Kind::Pointed);
  EXPECT_EQ(pointed.first, 2U);
  EXPECT_EQ(pointed.second, 3U);
  ExternalSize items = parseSize("result*12");
  EXPECT_EQ(items.kind, Kind::Result);
  EXPECT_EQ(items.bytes, 12U);
}

TEST(Policy, FindsTheLongestNameThatFits) {
  Policy table = Policy::parse("_IO_* observe -- streams\n"
                               "_IO_file_* observe -- files\n"
                               "_IO_getc shim stream -> value\n",
                               "table");
  auto nameFor = [&table](const char *name) {
    const ExternalFunction *row = table.find(name);
    return row ? row->name : "none";
  };
  EXPECT_EQ(nameFor("_IO_getc"), "_IO_getc");
  EXPECT_EQ(nameFor("_IO_getc_unlocked"), "_IO_*");
  EXPECT_EQ(nameFor("_IO_file_open"), "_IO_file_*");
  EXPECT_EQ(nameFor("_IO_"), "_IO_*");
  EXPECT_EQ(nameFor("_IO"), "none");
  EXPECT_EQ(nameFor(""), "none");
}

TEST(Policy, HasATable) {
  const ExternalFunction *row = policy().find("fread");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->category, Category::Shim);
  EXPECT_STREQ(categoryWord(row->category), "shim");
  EXPECT_EQ(row->arguments.at(0).size.second, 3U);
  EXPECT_EQ(policy().find("swapcontext")->category, Category::Refuse);
  EXPECT_EQ(policy().find("_ZNSolsEi")->category, Category::Observe);
  EXPECT_EQ(policy().find("culprit_has_no_such_function"), nullptr);
}

} // namespace
