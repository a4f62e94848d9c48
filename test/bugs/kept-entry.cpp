// A registry deletes the entry that is replaced, and then keeps it in place of the new one.
// expect: kind=segmentation-fault line=fail
// layout: {"heap": {"fence": true}}
// cause: line=cause
// locate: line=freed
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Entry {
  Entry(std::string text, int number) : text(std::move(text)), number(number) {}
  std::string text;
  int number;
};

class Registry {
public:
  ~Registry() {
    for (size_t i = 1; i < entries_.size(); ++i)
      delete entries_[i];
  }

  void set(size_t id, Entry *entry) {
    if (id >= entries_.size())
      entries_.resize(id + 1);
    if (entries_[id])
      delete entries_[id]; // freed
    else
      entries_[id] = entry; // cause: in any case
  }

  Entry *get(size_t id) const { return id < entries_.size() ? entries_[id] : nullptr; }

private:
  std::vector<Entry *> entries_;
};

static void load(Registry &registry, const char *const *lines) {
  for (; *lines; ++lines) {
    auto *entry = new Entry(*lines, static_cast<int>((*lines)[1]));
    registry.set(static_cast<size_t>((*lines)[0] - '0'), entry);
  }
}

int main() {
  static const char *const lines[] = {"0a", "1b", "2c", "3d", "0e", nullptr};
  Registry registry;
  load(registry, lines);
  const Entry *first = registry.get(0);
  std::printf("%d\n", first->number); // fail
}
