// A key is a text or a number; the constructor for numbers leaves the text as it was.
// expect: kind=double-free line=fail
// cause: line=cause
// locate: line=made
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

class Key {
public:
  explicit Key(unsigned index) : index_(index) {} // cause: text_(nullptr)
  explicit Key(const char *text) : text_(strdup(text)), index_(0) {}
  Key(const Key &other)
      : text_(other.text_ ? strdup(other.text_) : nullptr), index_(other.index_) {}
  Key &operator=(const Key &) = delete;
  ~Key() {
    if (text_)
      std::free(text_); // fail
  }

  bool operator<(const Key &other) const {
    return text_ ? std::strcmp(text_, other.text_) < 0 : index_ < other.index_;
  }

private:
  char *text_;
  unsigned index_;
};

class Table {
public:
  int &at(const char *text) {
    Key key(text);
    return values_[key];
  }

  int &at(unsigned index) {
    Key key(index); // made
    return values_[key];
  }

private:
  std::map<Key, int> values_;
};

int main() {
  Table names, numbers;
  names.at("one") = 1;
  names.at("two") = 2;
  names.at("three") = 3;
  for (unsigned i = 0; i < 4; ++i)
    numbers.at(i) = names.at("two");
  std::printf("%d %d\n", names.at("three"), numbers.at(3u));
}
