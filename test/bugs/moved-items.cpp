// Adds up the items of a batch that was moved away before.
// expect: kind=segmentation-fault line=fail name=`batch.items[i]`
// cause: line=cause
// locate: line=cause
#include <cstdio>
#include <utility>
#include <vector>

struct Batch {
  std::vector<int> items;
  int number = 0;
};

int main(int argc, char **) {
  std::vector<Batch> done;
  Batch batch;
  for (int i = 0; i < 10; ++i)
    batch.items.push_back(i * argc);
  done.push_back(std::move(batch)); // cause
  int sum = 0;
  for (int i = 0; i < 10; ++i)
    sum += batch.items[i]; // fail
  std::printf("%d of %zu\n", sum, done.size());
}
