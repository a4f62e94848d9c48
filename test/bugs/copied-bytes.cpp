// A table that grows copies its records byte by byte; each has a string, which then has two owners.
// expect: kind=double-free line=fail
// cause: line=cause
// locate: line=cause and=first
#include <cstdio>
#include <cstring>
#include <string>

struct Record { // fail: its destructor
  std::string key;
  int number;
};

class Table {
public:
  ~Table() { delete[] records_; }
  void add(const Record &record) {
    if (used_ == size_)
      grow();
    records_[used_++] = record;
  }

private:
  void grow() {
    auto *bigger = new Record[2 * size_];
    std::memcpy(static_cast<void *>(bigger), records_, sizeof(Record) * used_); // cause
    delete[] records_;                                                          // first
    records_ = bigger;
    size_ *= 2;
  }

  int size_ = 2, used_ = 0;
  Record *records_ = new Record[2];
};

int main() {
  Table table;
  for (int i = 0; i < 4; ++i)
    table.add({std::string(20 + i, 'k'), i});
  std::printf("full\n");
}
