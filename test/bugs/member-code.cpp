// A code is one letter too long, and then some; who owns the item stands behind it.
// expect: kind=segmentation-fault line=fail
// args: abc abcdefghijklmnopqr
// cause: line=cause
// locate: line=store
#include <cstdio>
#include <string>
#include <vector>

struct Item {
  char code[6];
  int count;
  const std::string *owner;
};

static void fill(Item &item, const std::string &code) {
  for (size_t i = 0; i <= code.size(); ++i) // cause: and less than six
    item.code[i] = code.c_str()[i];         // store
}

int main(int argc, char **argv) {
  std::vector<std::string> names{"ann", "bob"};
  std::vector<Item> items(2);
  for (int i = 0; i < 2; ++i)
    items[i] = {"", i, &names[i]};
  for (int i = 1; i < argc && i < 3; ++i)
    fill(items[i - 1], std::string(argv[i]) + "-x");
  for (const Item &item : items)
    std::printf("%s %s\n", item.code, item.owner->c_str()); // fail
}
