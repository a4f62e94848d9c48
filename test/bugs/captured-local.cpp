// A listener refers to locals of the function that registers it, one of which owns its text.
// expect: kind=segmentation-fault line=fail
// layout: {"heap": {"fence": true}}
// cause: line=cause
// locate: line=cause and=end
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

struct Bus {
  std::vector<std::function<void(int)>> listeners;
};

static void listen(Bus &bus) {
  std::string prefix = "something has happened, and this is its number: ";
  int sum = 0;
  auto print = [&](int event) { // cause: by reference
    sum += event;
    std::printf("%s%d %d\n", prefix.c_str(), event, sum); // fail
  };
  bus.listeners.push_back(print);
} // end

int main() {
  Bus bus;
  listen(bus);
  for (int i = 1; i < 3; i++)
    bus.listeners[0](i);
  return 0;
}
