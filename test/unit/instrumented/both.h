// A function in both versions, run on the same memory, with what came of it compared.
#ifndef CULPRIT_TEST_UNIT_INSTRUMENTED_BOTH_H
#define CULPRIT_TEST_UNIT_INSTRUMENTED_BOTH_H

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace culprit::test {

template <typename Function> struct Both {
  const char *name;
  Function *ours;
  Function *libc;
};

template <typename Function> Both<Function> both(const char *name, Function *ours) {
  return {name, ours, reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name))};
}

/// Declares our function under a C++ name that no header has an opinion on.
#define CULPRIT_BOTH(Result, name, ...)                                                            \
  Result our_##name(__VA_ARGS__) __asm__(#name);                                                   \
  const auto name##_ = ::culprit::test::both<Result(__VA_ARGS__)>(#name, &our_##name);

using Random = std::mt19937;

inline size_t below(Random &random, size_t limit) {
  return random() % limit;
}

/// Some memory right in front of a page that cannot be accessed.
class Guarded {
public:
  static constexpr size_t kSize = 1024;

  Guarded() {
    void *pages =
        mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(static_cast<char *>(pages) + kPage, kPage, PROT_NONE);
    end_ = static_cast<char *>(pages) + kPage;
  }
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;
  ~Guarded() { munmap(end_ - kPage, 2 * kPage); }

  char *end() const { return end_; }
  char *begin() const { return end_ - kSize; }

  /// So that the last byte is the last one in front of the guard.
  template <typename Char> Char *place(const std::basic_string<Char> &text) {
    auto *at = reinterpret_cast<Char *>(end_) - text.size();
    std::copy(text.begin(), text.end(), at);
    return at;
  }
  /// With a terminator.
  template <typename Char> Char *placeText(const std::basic_string<Char> &text) {
    return place(text + Char{0});
  }
  void fill(Random &random) {
    auto value = static_cast<unsigned char>(random());
    for (char *at = begin(); at != end_; ++at)
      *at = static_cast<char>(value = static_cast<unsigned char>(value * 77 + 29));
  }

private:
  static constexpr size_t kPage = 4096;
  char *end_;
};

/// What calls work on: three areas, and random numbers that are the same for both versions.
struct Field {
  Guarded a, b, c;
  Random random;

  template <typename Char = char>
  std::basic_string<Char> text(size_t most, const std::basic_string<Char> &alphabet) {
    std::basic_string<Char> result(below(random, most + 1), 0);
    for (Char &character : result)
      character = alphabet[below(random, alphabet.size())];
    return result;
  }

  std::string contents() const {
    std::string all(a.begin(), Guarded::kSize);
    all.append(b.begin(), Guarded::kSize);
    return all.append(c.begin(), Guarded::kSize);
  }

  /// A pointer as something that compares: where it points into the areas.
  long offset(const void *pointer) const {
    long base = 1;
    for (const Guarded *area : {&a, &b, &c}) {
      const char *at = static_cast<const char *>(pointer);
      if (at >= area->begin() && at <= area->end())
        return base + (at - area->begin());
      base += 10000;
    }
    return pointer ? -1 : 0;
  }
};

/// Runs `call(function, field)`, which returns a number, with both for many seeds.
template <typename Function, typename Call>
void compare(const Both<Function> &functions, const Call &call, unsigned rounds = 600) {
  ASSERT_NE(functions.libc, nullptr) << functions.name;
  ASSERT_NE(functions.ours, functions.libc) << functions.name;
  Field field;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    auto run = [&](Function *function, long &result, int &error) {
      field.random.seed(seed);
      for (Guarded *area : {&field.a, &field.b, &field.c})
        area->fill(field.random);
      errno = 0;
      result = static_cast<long>(call(function, field));
      error = errno;
      return field.contents();
    };
    long wantedResult, result;
    int wantedError, error;
    std::string wanted = run(functions.libc, wantedResult, wantedError);
    std::string got = run(functions.ours, result, error);
    ASSERT_EQ(wantedResult, result) << functions.name << " with seed " << seed;
    ASSERT_EQ(wantedError, error) << functions.name << " with seed " << seed;
    ASSERT_TRUE(wanted == got) << functions.name << " with seed " << seed;
  }
}

} // namespace culprit::test
#endif
