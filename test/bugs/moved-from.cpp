// Uses a unique_ptr after it was moved into the queue.
// expect: kind=segmentation-fault line=fail name=`task->cost`
// cause: line=cause
// locate: line=cause
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

struct Task {
  int number;
  int cost;
};

class Queue {
public:
  void push(std::unique_ptr<Task> task) { tasks_.push_back(std::move(task)); }
  std::size_t size() const { return tasks_.size(); }

private:
  std::vector<std::unique_ptr<Task>> tasks_;
};

static int submit(Queue &queue, int number) {
  auto task = std::make_unique<Task>(Task{number, number * 10});
  queue.push(std::move(task)); // cause
  return task->cost;           // fail
}

int main() {
  Queue queue;
  int cost = 0;
  for (int i = 1; i < 4; i++)
    cost += submit(queue, i);
  std::printf("%zu tasks, cost %d\n", queue.size(), cost);
}
