// Exceptions that leave a callback: through qsort and its kin, through algorithms, through a
// library that was compiled by others.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <glob.h>
#include <search.h>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int foreign_each(int (*callback)(int, void *), void *context, int count);
int foreign_cpp_each(const std::function<int(int)> &callback, int count);
std::string foreign_throw(const std::string &what);

static int left;
struct Guard {
  const char *name;
  ~Guard() { printf("~%s\n", name); }
};

static int compareThrowing(const void *a, const void *b) {
  char frame[40];
  snprintf(frame, sizeof frame, "comparison %d", left);
  if (left-- == 0)
    throw std::runtime_error(frame);
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static int compareContext(const void *a, const void *b, void *context) {
  if (--*static_cast<int *>(context) == 0)
    throw *static_cast<int *>(context);
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static void visit(const void *, VISIT order, int depth) {
  if (order == leaf)
    throw depth;
}

template <typename Body> static void attempt(const char *name, Body body) {
  Guard guard{name};
  try {
    body();
    printf("%s ended\n", name);
  } catch (const std::exception &error) {
    printf("%s threw '%s'\n", name, error.what());
  } catch (int number) {
    printf("%s threw %d\n", name, number);
  }
}

static void searches() {
  static int numbers[] = {5, 3, 9, 1, 7, 2, 8};
  left = 4;
  attempt("qsort", [] { qsort(numbers, 7, sizeof(int), compareThrowing); });
  attempt("qsort_r", [] {
    int rounds = 6;
    qsort_r(numbers, 7, sizeof(int), compareContext, &rounds);
  });
  left = 100;
  attempt("qsort", [] { qsort(numbers, 7, sizeof(int), compareThrowing); });
  printf("%d %d\n", numbers[0], numbers[6]);
  left = 1;
  attempt("bsearch", [] { bsearch(&numbers[0], numbers, 7, sizeof(int), compareThrowing); });
  static void *tree;
  left = 100;
  for (int &number : numbers)
    tsearch(&number, &tree, compareThrowing);
  left = 1;
  attempt("tsearch", [] {
    static int wanted = 4;
    tsearch(&wanted, &tree, compareThrowing);
  });
  left = 1;
  attempt("tfind", [] { tfind(&numbers[6], &tree, compareThrowing); });
  attempt("twalk", [] { twalk(tree, visit); });
  attempt("lfind", [] {
    size_t count = 7;
    left = 0;
    lfind(&numbers[3], numbers, &count, sizeof(int), compareThrowing);
  });
}

static void algorithms() {
  attempt("sort", [] {
    std::vector<std::string> words;
    for (int i = 0; i < 40; ++i)
      words.push_back("word number " + std::to_string(i * 7 % 40));
    int rounds = 30;
    std::sort(words.begin(), words.end(), [&](const std::string &a, const std::string &b) {
      if (--rounds == 0)
        throw std::out_of_range("thirty");
      return a < b;
    });
  });
  attempt("stable_sort", [] {
    std::vector<int> numbers{4, 2, 3};
    std::stable_sort(numbers.begin(), numbers.end(), [](int a, int b) -> bool { throw a + b; });
  });
}

static int back(int number, void *context) {
  Guard guard{"back"};
  if (number == 2)
    throw std::runtime_error(static_cast<const char *>(context));
  return number;
}

static void libraries() {
  char text[] = "through a C library";
  attempt("foreign_each", [&] { foreign_each(back, text, 5); });
  attempt("foreign_cpp_each", [] {
    foreign_cpp_each([](int number) { return number < 3 ? number : throw number; }, 5);
  });
  attempt("foreign_throw",
          [] { puts(foreign_throw("a text that is longer than a short one").c_str()); });
  attempt("foreign_throw", [] { puts(foreign_throw("").c_str()); });
}

int main() {
  searches();
  algorithms();
  libraries();
  try {
    try {
      throw std::invalid_argument("inner");
    } catch (...) {
      std::throw_with_nested(std::logic_error("outer"));
    }
  } catch (const std::exception &outer) {
    try {
      std::rethrow_if_nested(outer);
    } catch (const std::exception &inner) {
      printf("%s in %s\n", inner.what(), outer.what());
    }
  }
  printf("%d\n", std::uncaught_exceptions());
}
