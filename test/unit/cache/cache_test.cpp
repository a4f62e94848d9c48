// Keys, seals, and what goes when the cache is full.
#include "compiler/cache/cache.h"
#include "compiler/cache/seal.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

using namespace culprit;
namespace fs = std::filesystem;

namespace {

class CacheTest : public testing::Test {
protected:
  CacheTest() {
    std::string name = (fs::temp_directory_path() / "culprit-unit-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~CacheTest() override {
    fs::remove_all(folder_);
    unsetenv("CULPRIT_CACHE_SIZE");
    setQuiet(false);
  }

  static void age(const fs::path &path, int minutes) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  }

  fs::path folder_;
};

TEST(CacheKey, PartsDoNotRunIntoEachOther) {
  EXPECT_EQ(CacheKey().add("a").add("b").hex(), CacheKey().add("a").add("b").hex());
  EXPECT_NE(CacheKey().add("ab").add("").hex(), CacheKey().add("a").add("b").hex());
  EXPECT_NE(CacheKey().add("1:a").hex(), CacheKey().add("1").add("a").hex());
  EXPECT_NE(CacheKey().add("").hex(), CacheKey().hex());
  EXPECT_EQ(CacheKey().add("x").hex().size(), 32U);
}

TEST(Seal, KnowsNameAndContent) {
  std::string sealed = "content" + sealOf("name", "content");
  EXPECT_TRUE(isSealed("name", sealed));
  EXPECT_FALSE(isSealed("other", sealed));
  EXPECT_EQ(withoutSeal(sealed), "content");
  for (size_t size = 0; size < sealed.size(); ++size)
    EXPECT_FALSE(isSealed("name", sealed.substr(0, size)));
  for (size_t i = 0; i < sealed.size(); ++i) {
    std::string damaged = sealed;
    damaged[i] ^= 1;
    EXPECT_FALSE(isSealed("name", damaged)) << i;
  }
}

TEST_F(CacheTest, ObjectsComeBackOrNotAtAll) {
  setQuiet(true);
  Cache cache(folder_);
  EXPECT_FALSE(cache.findObject("a.o"));
  fs::path path = cache.storeObject("a.o", "bytes");
  ASSERT_TRUE(cache.findObject("a.o"));
  EXPECT_EQ(Cache::readObject(path), "bytes");
  std::ofstream(path, std::ios::app) << "x";
  EXPECT_FALSE(cache.findObject("a.o"));
  EXPECT_THROW(Cache::readObject(path), Failure);
  cache.storeObject("a.o", "bytes");
  EXPECT_TRUE(cache.findObject("a.o"));
  EXPECT_TRUE(fs::is_empty(folder_ / "temporary"));
}

TEST_F(CacheTest, TheFirstOfTwoEqualBuildsStays) {
  Cache cache(folder_);
  fs::path first = cache.beginBuild();
  fs::path second = cache.beginBuild();
  writeFileAtomically(first / "program", "1");
  writeFileAtomically(second / "program", "2");
  fs::path path = cache.commitBuild(first, "name");
  EXPECT_EQ(cache.commitBuild(second, "name"), path);
  EXPECT_EQ(readFile(path / "program"), "1");
  EXPECT_EQ(cache.findBuild("name"), path);
}

TEST_F(CacheTest, ADamagedBuildMakesRoomForANewOne) {
  setQuiet(true);
  Cache cache(folder_);
  fs::path build = cache.beginBuild();
  writeFileAtomically(build / "program", "1");
  std::ofstream(cache.commitBuild(build, "name") / "program") << "damaged";
  EXPECT_FALSE(cache.findBuild("name"));
  build = cache.beginBuild();
  writeFileAtomically(build / "program", "2");
  EXPECT_EQ(readFile(cache.commitBuild(build, "name") / "program"), "2");
  EXPECT_TRUE(cache.findBuild("name"));
}

TEST_F(CacheTest, TrimRemovesTheLeastRecentlyUsed) {
  setenv("CULPRIT_CACHE_SIZE", "2500", 1);
  Cache cache(folder_);
  for (int i = 0; i < 4; ++i)
    age(cache.storeObject(std::to_string(i), std::string(1000, 'x')), 10 - i);
  cache.findObject("0"); // used again: now the newest
  cache.trim();
  EXPECT_TRUE(cache.findObject("0"));
  EXPECT_FALSE(cache.findObject("1"));
  EXPECT_FALSE(cache.findObject("2"));
  EXPECT_TRUE(cache.findObject("3"));
}

TEST_F(CacheTest, TrimSparesWhatIsFreshAndWhatOthersUse) {
  setenv("CULPRIT_CACHE_SIZE", "1", 1);
  Cache cache(folder_);
  cache.storeObject("fresh", "x");
  age(cache.storeObject("old", "x"), 10);
  fs::path left = cache.beginBuild();
  {
    CacheUse use = cache.use();
    cache.trim();
    EXPECT_TRUE(fs::exists(folder_ / "objects" / "old"));
    EXPECT_TRUE(fs::exists(left));
  }
  cache.trim();
  EXPECT_TRUE(fs::exists(folder_ / "objects" / "fresh"));
  EXPECT_FALSE(fs::exists(folder_ / "objects" / "old"));
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(CacheTest, SizeCap) {
  struct {
    const char *text;
    uint64_t bytes;
  } cases[] = {{"0", 0},        {"17", 17},      {"2K", 2048},
               {"3M", 3 << 20}, {"1G", 1 << 30}, {"", uint64_t{5} << 30}};
  for (auto [text, bytes] : cases) {
    setenv("CULPRIT_CACHE_SIZE", text, 1);
    EXPECT_EQ(Cache::sizeCap(), bytes) << text;
  }
  for (const char *text : {"x", "5X", "5 M", "M", "-"}) {
    setenv("CULPRIT_CACHE_SIZE", text, 1);
    EXPECT_THROW(Cache::sizeCap(), Failure) << text;
  }
}

TEST_F(CacheTest, ListIsNewestFirst) {
  Cache cache(folder_);
  age(cache.storeObject("a", "1"), 2);
  age(cache.storeObject("b", "22"), 1);
  std::vector<CacheItem> items = cache.list();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].path.filename(), "b");
  EXPECT_EQ(items[0].bytes, 2 + kSealSize);
  EXPECT_EQ(items[1].what, "object");
  EXPECT_GT(cache.clear(), 0U);
  EXPECT_TRUE(cache.list().empty());
}

} // namespace
