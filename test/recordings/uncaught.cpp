// Ends by an exception that nobody catches.
#include <iostream>
#include <stdexcept>
#include <unistd.h>
struct Guard { ~Guard() { std::cout << "gone\n"; } };
int main() {
  Guard guard;
  std::cout << "pid " << getpid() << std::endl;
  throw std::runtime_error("nobody catches " + std::to_string(getpid()));
}
