// Where exceptions are: without an argument it shows what they hold, with "addresses" where they
// lie as well. With "memory" behind that, it throws when there is no memory left.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <future>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

static bool wantsAddresses;
std::vector<void *> *allBlocks;

static void show(const char *what, const void *object) {
  if (wantsAddresses)
    printf("%s %p\n", what, object);
}

struct Plain {
  int value;
  char text[40];
};
struct Owner {
  std::string text = "a text that has a block of its own";
};

static void inFlight(int depth) {
  try {
    throw Plain{depth, "deep"};
  } catch (Plain &plain) {
    show("in flight", &plain);
    if (depth > 0)
      inFlight(depth - 1);
    printf("%d %s\n", plain.value, plain.text);
  }
}

static void thrownAgain() {
  std::exception_ptr kept, made = std::make_exception_ptr(Plain{7, "made"});
  try {
    throw Owner();
  } catch (Owner &owner) {
    show("kept", &owner);
    kept = std::current_exception();
  }
  for (const std::exception_ptr &one : {kept, made, kept})
    try {
      std::rethrow_exception(one);
    } catch (Plain &plain) {
      show("made", &plain);
      puts(plain.text);
    } catch (Owner &owner) {
      show("again", &owner);
      puts(owner.text.c_str());
    }
  try {
    try {
      throw 5;
    } catch (int) {
      std::throw_with_nested(std::logic_error("outer"));
    }
  } catch (std::exception &outer) {
    try {
      std::rethrow_if_nested(outer);
    } catch (int &inner) {
      show("nested", &inner);
      printf("%s %d\n", outer.what(), inner);
    }
  }
}

template <typename Work> static void thrownByLibrary(Work work) {
  try {
    work();
  } catch (std::exception &error) {
    show("library's", &error);
    show("text", error.what());
    puts(error.what());
  }
}

static void ofLibrary() {
  static std::vector<int> few(3);
  thrownByLibrary([] { few.at(7); });
  thrownByLibrary([] { (void)std::stoi("none"); });
  thrownByLibrary([] { std::string().substr(3); });
  thrownByLibrary([] { std::future<int>().get(); });
  thrownByLibrary([] {
    std::async(std::launch::deferred, [] { throw std::runtime_error("in a task"); }).get();
  });
}

/// As many exceptions at a time as fit into what is kept for this case; it is used again.
static void withoutMemory() {
  std::vector<void *> &blocks = *allBlocks;
  blocks.reserve(100000);
  for (size_t size = size_t{1} << 44; size >= 16; size /= 2)
    while (void *block = blocks.size() < blocks.capacity() ? malloc(size) : nullptr)
      blocks.push_back(block);
  thrownByLibrary([] { allBlocks->push_back(new char[1000]); });
  inFlight(20);
  for (int i = 0; i < 5000; ++i)
    try {
      throw Plain{i, "used again"};
    } catch (Plain &plain) {
      if (i % 1000 == 0)
        show("used again", &plain);
    }
  for (void *block : blocks)
    free(block);
}

int main(int argc, char **argv) {
  std::vector<void *> blocks; // so that there are frames before memory runs out
  allBlocks = &blocks;
  wantsAddresses = argc > 1 && strcmp(argv[1], "addresses") == 0;
  setvbuf(stdout, nullptr, _IOFBF, 100000);
  printf("start\n");
  if (argc > 2 && strcmp(argv[2], "memory") == 0)
    withoutMemory();
  inFlight(3);
  thrownAgain();
  ofLibrary();
}
