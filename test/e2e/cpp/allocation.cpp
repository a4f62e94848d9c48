// new and delete in all forms, what they throw, and what a class or a new_handler puts in their
// place.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

struct alignas(64) Wide {
  char bytes[64];
  ~Wide() { puts("~Wide"); }
};

struct Counted {
  static inline int live = 0;
  int number;
  explicit Counted(int number) : number(number) {
    if (number < 0)
      throw number;
    ++live;
  }
  ~Counted() { --live; }
};

struct Own {
  static void *operator new(size_t size) {
    printf("Own::new %zu\n", size);
    return malloc(size);
  }
  static void operator delete(void *block, size_t size) {
    printf("Own::delete %zu\n", size);
    free(block);
  }
  int number = 1;
};

static int handled;
static void handler() {
  if (++handled == 3)
    std::set_new_handler(nullptr);
}

static bool isAligned(const void *block, size_t alignment) {
  return reinterpret_cast<uintptr_t>(block) % alignment == 0;
}

static void forms() {
  int *one = new int(5);
  int *many = new int[7]{1, 2, 3};
  int *quiet = new (std::nothrow) int(6);
  int *quietMany = new (std::nothrow) int[3]();
  Wide *wide = new Wide;
  Wide *wides = new Wide[3];
  Wide *quietWide = new (std::nothrow) Wide;
  Wide *quietWides = new (std::nothrow) Wide[2];
  printf("%d %d %d %d %d\n", *one, many[2], many[6], *quiet, quietMany[2]);
  printf("%d%d%d%d\n", isAligned(wide, 64), isAligned(wides, 64), isAligned(quietWide, 64),
         isAligned(quietWides, 64));
  alignas(int) char place[sizeof(int)];
  printf("%d\n", *new (place) int(9));
  delete one;
  delete[] many;
  delete quiet;
  delete[] quietMany;
  delete wide;
  delete[] wides;
  delete quietWide;
  delete[] quietWides;
  delete static_cast<int *>(nullptr);
  ::operator delete(::operator new(24));
  ::operator delete(::operator new(24), size_t{24});
  ::operator delete(::operator new(24, std::nothrow), std::nothrow);
  ::operator delete(::operator new(24, std::align_val_t{128}), std::align_val_t{128});
  ::operator delete(::operator new(24, std::align_val_t{128}), size_t{24}, std::align_val_t{128});
  ::operator delete[](::operator new[](0));
  delete new Own;
}

static void failures() {
  volatile size_t huge = SIZE_MAX / 4;
  void *volatile none;
  try {
    none = ::operator new(huge);
  } catch (const std::bad_alloc &error) {
    printf("%s\n", error.what());
  }
  none = ::operator new(huge, std::nothrow);
  printf("%d\n", none == nullptr);
  none = new (std::nothrow) char[huge];
  printf("%d\n", none == nullptr);
  volatile ptrdiff_t negative = -1;
  try {
    none = new int[static_cast<size_t>(negative)];
  } catch (const std::bad_alloc &error) {
    printf("%s\n", error.what());
  }
  std::set_new_handler(handler);
  try {
    none = ::operator new(huge);
  } catch (const std::bad_alloc &) {
    printf("handled %d times\n", handled);
  }
  try {
    std::vector<int> numbers;
    numbers.reserve(huge);
  } catch (const std::length_error &error) {
    printf("%s\n", error.what());
  }
  try {
    std::string text(huge, 'x');
  } catch (const std::bad_alloc &error) {
    printf("%s\n", error.what());
  }
  try {
    new Counted(-3);
  } catch (int number) {
    printf("thrown %d, live %d\n", number, Counted::live);
  }
  try {
    new Counted[4]{Counted(1), Counted(2), Counted(-5), Counted(4)};
  } catch (int number) {
    printf("thrown %d, live %d\n", number, Counted::live);
  }
}

int main() {
  forms();
  failures();
  auto shared = std::make_shared<Counted>(4);
  std::weak_ptr<Counted> weak = shared;
  shared.reset();
  printf("expired %d live %d\n", weak.expired(), Counted::live);
  char buffer[512];
  std::pmr::monotonic_buffer_resource pool(buffer, sizeof buffer);
  std::pmr::vector<std::pmr::string> words(&pool);
  for (int i = 0; i < 5; ++i)
    words.emplace_back("a word that is longer than the short ones");
  printf("%zu %s\n", words.size(), words.back().c_str());
  std::pmr::unsynchronized_pool_resource blocks;
  void *block = blocks.allocate(100);
  blocks.deallocate(block, 100);
}
