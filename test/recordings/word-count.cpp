// Counts words with the C++ library; sorts them by number; formats numbers.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>
int main() {
  std::map<std::string, int> counts;
  std::string line, word;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    while (words >> word) counts[word]++;
  }
  std::vector<std::pair<int, std::string>> order;
  for (auto &[text, count] : counts) order.emplace_back(count, text);
  std::sort(order.rbegin(), order.rend());
  for (auto &[count, text] : order) std::cout << std::setw(4) << count << ' ' << text << '\n';
  std::cout << std::fixed << std::setprecision(3) << 2.0 / 3 << std::endl;
}
