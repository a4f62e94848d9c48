// Threads and what they meet on, results and exceptions handed from one to another.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static void futures() {
  std::vector<std::future<long>> parts;
  for (long part = 0; part < 4; ++part)
    parts.push_back(std::async(std::launch::async, [part] {
      std::vector<long> numbers(1000);
      std::iota(numbers.begin(), numbers.end(), part * 1000);
      return std::accumulate(numbers.begin(), numbers.end(), 0L);
    }));
  long sum = 0;
  for (std::future<long> &part : parts)
    sum += part.get();
  printf("sum %ld\n", sum);
  auto failing =
      std::async(std::launch::async, []() -> int { throw std::runtime_error("in the thread"); });
  try {
    failing.get();
  } catch (const std::runtime_error &error) {
    printf("%s\n", error.what());
  }
  auto deferred = std::async(std::launch::deferred, [] { return 5; });
  printf("%d %d\n", deferred.wait_for(0s) == std::future_status::deferred, deferred.get());
  std::promise<std::string> promise;
  std::shared_future<std::string> text = promise.get_future().share();
  std::thread setter([&] { promise.set_value("a promised text that is longer"); });
  printf("%s\n", text.get().c_str());
  setter.join();
  std::packaged_task<int(int)> task([](int number) { return number * 2; });
  std::future<int> doubled = task.get_future();
  std::thread(std::move(task), 21).join();
  printf("%d\n", doubled.get());
  try {
    std::promise<int> broken;
    std::future<int> never = broken.get_future();
    broken = {};
    never.get();
  } catch (const std::future_error &error) {
    printf("%s %d\n", error.what(), error.code() == std::future_errc::broken_promise);
  }
}

static void queue() {
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<int> items;
  bool isDone = false;
  long sum = 0;
  std::thread consumer([&] {
    std::unique_lock lock(mutex);
    for (;;) {
      filled.wait(lock, [&] { return isDone || !items.empty(); });
      if (items.empty())
        return;
      sum += items.front();
      items.pop_front();
    }
  });
  for (int i = 0; i < 500; ++i) {
    std::lock_guard guard(mutex);
    items.push_back(i);
    filled.notify_one();
  }
  {
    std::lock_guard guard(mutex);
    isDone = true;
  }
  filled.notify_all();
  consumer.join();
  printf("consumed %ld\n", sum);
}

static void locks() {
  std::recursive_mutex recursive;
  std::timed_mutex timed;
  std::shared_mutex shared;
  std::scoped_lock both(recursive, timed);
  std::scoped_lock again(recursive);
  bool isLocked = true;
  std::thread([&] { isLocked = timed.try_lock_for(10ms); }).join();
  printf("locked %d\n", isLocked);
  std::atomic<int> readers = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      std::shared_lock lock(shared);
      ++readers;
    });
  for (std::thread &thread : threads)
    thread.join();
  printf("readers %d\n", readers.load());
  std::once_flag once;
  int calls = 0;
  try {
    std::call_once(once, [&] {
      ++calls;
      throw 1;
    });
  } catch (int) {
    puts("once threw");
  }
  for (int i = 0; i < 3; ++i)
    std::call_once(once, [&] { ++calls; });
  printf("calls %d\n", calls);
  std::unique_lock<std::mutex> none;
  try {
    none.lock();
  } catch (const std::system_error &error) {
    printf("%s\n", error.what());
  }
  std::condition_variable_any any;
  std::mutex mutex;
  std::unique_lock lock(mutex);
  printf("%d\n", any.wait_for(lock, 1ms) == std::cv_status::timeout);
}

static thread_local struct Local {
  std::string text = "a text of the thread's own, longer";
  ~Local() { last += static_cast<int>(text.size()); }
  static inline std::atomic<int> last = 0;
} local;

static void others() {
  std::latch start(1);
  std::barrier meeting(3);
  std::counting_semaphore<4> slots(2);
  std::atomic<int> rounds = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      start.wait();
      for (int round = 0; round < 3; ++round) {
        slots.acquire();
        ++rounds;
        slots.release();
        meeting.arrive_and_wait();
      }
      local.text += "!";
    });
  start.count_down();
  threads.clear();
  printf("rounds %d local %d\n", rounds.load(), Local::last.load());
  std::jthread waiting([](std::stop_token token) {
    while (!token.stop_requested())
      std::this_thread::yield();
  });
  waiting.request_stop();
  waiting.join();
  std::exception_ptr carried;
  std::thread([&] {
    try {
      throw std::logic_error("carried over");
    } catch (...) {
      carried = std::current_exception();
    }
  }).join();
  try {
    std::rethrow_exception(carried);
  } catch (const std::logic_error &error) {
    printf("%s\n", error.what());
  }
  try {
    std::thread().join();
  } catch (const std::system_error &error) {
    printf("%s\n", error.what());
  }
  std::atomic<std::shared_ptr<int>> pointer = std::make_shared<int>(4);
  printf("%d %d\n", *pointer.load(), std::this_thread::get_id() == std::this_thread::get_id());
}

int main() {
  futures();
  queue();
  locks();
  others();
}
