// An index whose keys are views of strings that were gone when the entry was made.
// expect: kind=abort line=fail
// layout: {"fill": {"freed": 221}}
// cause: line=cause
// locate: line=cause
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

static std::string upper(std::string_view word) {
  std::string result(word);
  for (char &c : result)
    c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return result + " AND SOME MORE TEXT";
}

class Index {
public:
  void add(std::string_view word, int line) {
    std::string_view key = upper(word); // cause
    lines_[key] = line;
  }

  int find(std::string_view word) const {
    auto found = lines_.find(word);
    return found == lines_.end() ? -1 : found->second;
  }

private:
  std::map<std::string_view, int> lines_;
};

int main() {
  Index index;
  const char *words[] = {"alpha", "beta", "gamma", "delta"};
  for (int i = 0; i < 4; i++)
    index.add(words[i], i);
  int line = index.find("GAMMA AND SOME MORE TEXT");
  std::printf("%d\n", line);
  if (line != 2)
    std::abort(); // fail
}
