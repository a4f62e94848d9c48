// Exceptions, strings, containers, streams, random numbers of the library.
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

int main() {
  std::random_device device;
  std::mt19937 generator(device());
  std::map<std::string, int> counts;
  for (int i = 0; i < 100; i++)
    counts["key" + std::to_string(generator() % 7)]++;
  for (auto &[key, count] : counts)
    std::cout << key << ' ' << count << '\n';
  try {
    std::vector<int> values(3);
    std::cout << values.at(generator() % 100 + 3);
  } catch (const std::out_of_range &error) {
    std::cout << "caught " << error.what() << std::endl;
  }
  std::string line;
  while (std::getline(std::cin, line))
    std::cout << line.size() << '\n';
}
