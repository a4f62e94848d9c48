// Type names without what nobody writes.
#include "analysis/names/type_names.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

TEST(TypeNames, LeavesOutDefaultArguments) {
  std::string string =
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>";
  EXPECT_EQ(shortTypeNames("f(" + string + " const&)"), "f(std::string const&)");
  EXPECT_EQ(shortTypeNames("f(std::map<" + string + ", int, std::less<" + string +
                           ">, std::allocator<std::pair<" + string + " const, int>>>&)"),
            "f(std::map<std::string, int>&)");
  EXPECT_EQ(shortTypeNames("std::unique_ptr<A, std::default_delete<A>>::get()"),
            "std::unique_ptr<A>::get()");
}

TEST(TypeNames, LeavesOthersAlone) {
  EXPECT_EQ(shortTypeNames("main"), "main");
  EXPECT_EQ(shortTypeNames("f(std::vector<int, Arena<int>>, bool (*)(int, std::less<"),
            "f(std::vector<int, Arena<int>>, bool (*)(int, std::less<");
}

} // namespace
} // namespace culprit
