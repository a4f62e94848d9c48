// A log hands out where each line begins in its buffer, which moves when it grows.
// expect: kind=abort line=fail
// layout: {"fill": {"freed": 221}}
// cause: line=cause
// locate: line=grow
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Log {
  std::string buffer;
  std::vector<const char *> lines;

  void add(const char *text) {
    const char *start = buffer.c_str() + buffer.size();
    buffer += text; // grow
    buffer += '\n';
    lines.push_back(start); // cause: the offset, not the address
  }
};

int main() {
  Log log;
  for (int i = 0; i < 12; i++)
    log.add("twenty-two letters long");
  std::vector<std::string> texts(10, std::string(60, '\n'));
  size_t length = 0;
  for (const char *line : log.lines)
    length += std::strcspn(line, "\n");
  std::printf("%zu in %zu texts\n", length, texts.size());
  if (length != 12 * 23)
    std::abort(); // fail
}
