// Counts the words of standard input and prints them in order.
#include <iostream>
#include <map>
#include <string>

int main() {
  std::ios::sync_with_stdio(false);
  std::map<std::string, long> words;
  std::string word;
  while (std::cin >> word)
    ++words[word];
  for (const auto &[each, count] : words)
    std::cout << each << ' ' << count << '\n';
}
