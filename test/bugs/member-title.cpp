// A code that is too long runs over the string behind it, which frees what it finds there.
// expect: kind=wild-free line=fail
// cause: line=cause
// locate: line=cause
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

struct Row { // fail: its destructor
  int number;
  char code[10];
  std::string title;
};

class Table {
public:
  void add(int number, const char *code, const char *title) {
    Row row;
    row.number = number;
    std::strcpy(row.code, code); // cause
    if (number % 2 == 0)
      return;
    rows_.push_back(row);
    rows_.back().title = title;
  }
  std::size_t size() const { return rows_.size(); }

private:
  std::vector<Row> rows_;
};

int main() {
  Table table;
  table.add(1, "A-1", "first");
  table.add(2, "B-22", "second");
  table.add(4, "LONGCODE-1234567", "fourth");
  std::printf("%zu\n", table.size());
}
