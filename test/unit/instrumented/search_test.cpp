// Sorting and searching: the sequence of comparisons is compared, with orders that contradict
// themselves, too.
#include "test/unit/instrumented/both.h"

#include <search.h>
#include <stdlib.h>

namespace culprit::test {

using Order = int(const void *, const void *);
using OrderWith = int(const void *, const void *, void *);

CULPRIT_BOTH(void, qsort, void *, size_t, size_t, Order *)
CULPRIT_BOTH(void, qsort_r, void *, size_t, size_t, OrderWith *, void *)
CULPRIT_BOTH(void *, tsearch, const void *, void **, Order *)
CULPRIT_BOTH(void *, tfind, const void *, void *const *, Order *)
CULPRIT_BOTH(void *, tdelete, const void *, void **, Order *)
CULPRIT_BOTH(void, twalk, const void *, __action_fn_t)
CULPRIT_BOTH(void, twalk_r, const void *, void (*)(const void *, VISIT, void *), void *)
CULPRIT_BOTH(void, tdestroy, void *, __free_fn_t)
CULPRIT_BOTH(int, hcreate_r, size_t, hsearch_data *)
CULPRIT_BOTH(void, hdestroy_r, hsearch_data *)
CULPRIT_BOTH(int, hsearch_r, ENTRY, ACTION, ENTRY **, hsearch_data *)
CULPRIT_BOTH(int, hcreate, size_t)
CULPRIT_BOTH(void, hdestroy)
CULPRIT_BOTH(ENTRY *, hsearch, ENTRY, ACTION)

namespace {

/// What happened, in order, in numbers.
std::vector<long> g_events;
const char *g_base;

int byFirstByte(const void *a, const void *b) {
  auto first = *static_cast<const unsigned char *>(a);
  auto second = *static_cast<const unsigned char *>(b);
  g_events.push_back(static_cast<const char *>(a) - g_base);
  g_events.push_back(static_cast<const char *>(b) - g_base);
  return first - second;
}

int atWill(const void *a, const void *b) {
  byFirstByte(a, b);
  return static_cast<int>(g_events.size() * 2654435761U >> 8) % 3 - 1;
}

int withContext(const void *a, const void *b, void *context) {
  ++*static_cast<long *>(context);
  return byFirstByte(a, b);
}

template <typename Run> std::vector<long> eventsOf(const Run &run) {
  g_events.clear();
  run();
  return g_events;
}

std::string randomBytes(Random &random, size_t size) {
  std::string bytes(size, 0);
  for (char &byte : bytes)
    byte = static_cast<char>(random() % 50);
  return bytes;
}

void checkSort(size_t count, size_t size, Order *order, unsigned seed) {
  Random random(seed);
  std::string array = randomBytes(random, count * size);
  std::string results[2];
  std::vector<long> events[2];
  for (int i = 0; i < 2; ++i) {
    results[i] = array;
    g_base = results[i].data();
    events[i] = eventsOf(
        [&] { (i == 0 ? qsort_.libc : qsort_.ours)(results[i].data(), count, size, order); });
  }
  ASSERT_EQ(results[0], results[1]) << count << " elements of " << size;
  ASSERT_EQ(events[0], events[1]) << count << " elements of " << size;
}

TEST(Sort, ComparesAsLibc) {
  for (size_t size : {1, 2, 3, 4, 7, 8, 12, 16, 24, 31, 32, 33, 40, 64, 100})
    for (size_t count : {0, 1, 2, 3, 5, 17, 100, 127, 128, 129, 300, 1000}) {
      checkSort(count, size, byFirstByte, static_cast<unsigned>(count));
      checkSort(count, size, atWill, static_cast<unsigned>(count));
    }
}

TEST(Sort, WithContext) {
  Random random(1);
  std::string array = randomBytes(random, 4000);
  std::string copy = array;
  long ours = 0, libc = 0;
  g_base = array.data();
  our_qsort_r(array.data(), 1000, 4, withContext, &ours);
  qsort_r_.libc(copy.data(), 1000, 4, withContext, &libc);
  EXPECT_EQ(array, copy);
  EXPECT_EQ(ours, libc);
}

struct TreeFunctions {
  decltype(tsearch_.ours) insert;
  decltype(tfind_.ours) find;
  decltype(tdelete_.ours) remove;
  decltype(twalk_.ours) walk;
  decltype(twalk_r_.ours) walkWith;
  decltype(tdestroy_.ours) destroy;
};

const char *keyOf(const void *node) {
  return *static_cast<const char *const *>(node);
}

void visit(const void *node, VISIT order, int depth) {
  g_events.push_back(*keyOf(node) * 1000L + order * 100 + depth);
}

void visitWith(const void *node, VISIT order, void *context) {
  g_events.push_back(*keyOf(node) * 1000L + order + *static_cast<int *>(context));
}

/// Many insertions and deletions, each with its comparisons, and walks over the tree.
void useTree(const TreeFunctions &tree, const std::string &keys, Order *order, unsigned seed) {
  Random random(seed);
  void *root = nullptr;
  g_base = keys.data();
  for (int i = 0; i < 400; ++i) {
    const char *key = &keys[below(random, keys.size())];
    if (random() % 3 != 0) {
      g_events.push_back(*keyOf(tree.insert(key, &root, order)));
    } else {
      void *parent = tree.remove(key, &root, order);
      g_events.push_back(parent != nullptr);
    }
    if (void *found = tree.find(key, &root, order))
      g_events.push_back(*keyOf(found));
    if (i % 20 == 0)
      tree.walk(root, visit);
  }
  int context = 7;
  tree.walkWith(root, visitWith, &context);
  tree.destroy(root, [](void *key) { g_events.push_back(*static_cast<char *>(key)); });
}

TEST(Search, Trees) {
  TreeFunctions ours{tsearch_.ours, tfind_.ours,   tdelete_.ours,
                     twalk_.ours,   twalk_r_.ours, tdestroy_.ours};
  TreeFunctions libc{tsearch_.libc, tfind_.libc,   tdelete_.libc,
                     twalk_.libc,   twalk_r_.libc, tdestroy_.libc};
  std::string keys;
  for (char key = 1; key < 100; ++key)
    keys += key;
  for (unsigned seed = 0; seed < 200; ++seed)
    for (Order *order : {&byFirstByte, &atWill}) {
      auto wanted = eventsOf([&] { useTree(libc, keys, order, seed); });
      auto got = eventsOf([&] { useTree(ours, keys, order, seed); });
      ASSERT_EQ(wanted, got) << "with seed " << seed;
    }
  EXPECT_EQ(our_tsearch("", nullptr, byFirstByte), nullptr);
  EXPECT_EQ(our_tfind("", nullptr, byFirstByte), nullptr);
  EXPECT_EQ(our_tdelete("", nullptr, byFirstByte), nullptr);
}

/// Where entries are put shows in their order.
TEST(Search, HashTables) {
  static char names[60][8];
  for (int i = 0; i < 60; ++i)
    snprintf(names[i], sizeof names[i], "n%d", i * i % 47);
  for (size_t size : {0, 1, 5, 30, 100})
    for (bool isOurs : {false, true}) {
      hsearch_data table = {};
      auto create = isOurs ? hcreate_r_.ours : hcreate_r_.libc;
      auto search = isOurs ? hsearch_r_.ours : hsearch_r_.libc;
      static std::vector<long> wanted;
      std::vector<long> got{create(size, &table), create(size, &table), table.size};
      for (auto &name : names) {
        ENTRY *found;
        for (ACTION action : {FIND, ENTER, FIND}) {
          errno = 0;
          got.push_back(search({name, name}, action, &found, &table));
          got.push_back(errno);
          auto *bytes = reinterpret_cast<char *>(found);
          got.push_back(found ? bytes - reinterpret_cast<char *>(table.table) : -1);
        }
        got.push_back(table.filled);
      }
      if (isOurs)
        EXPECT_EQ(wanted, got);
      wanted = got;
      (isOurs ? hdestroy_r_.ours : hdestroy_r_.libc)(&table);
      EXPECT_EQ(table.table, nullptr);
    }
}

TEST(Search, TheHashTable) {
  char key[] = "key";
  ASSERT_EQ(our_hcreate(10), 1);
  EXPECT_EQ(our_hsearch({key, nullptr}, FIND), nullptr);
  EXPECT_EQ(errno, ESRCH);
  ENTRY *entry = our_hsearch({key, key}, ENTER);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(our_hsearch({key, nullptr}, FIND), entry);
  EXPECT_EQ(our_hcreate(10), 0);
  our_hdestroy();
}

} // namespace
} // namespace culprit::test
