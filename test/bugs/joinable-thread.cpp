// A std::thread that is neither joined nor detached on the early way out.
// expect: kind=terminate line=fail
// cause: line=cause
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> progress{0};

static void work(int steps) {
  for (int i = 0; i < steps; i++)
    progress++;
}

static bool run(int steps) {
  std::thread worker(work, steps);
  if (steps > 100)
    return false; // cause: no join
  worker.join();
  return true;
} // fail

int main() {
  bool first = run(10);
  bool second = run(1000);
  std::printf("%d %d\n", first, second);
}
