// A destructor that throws: destructors are noexcept, so the exception gets no further.
// expect: kind=uncaught-exception line=fail
// cause: line=cause
#include <cstdio>
#include <stdexcept>
#include <string>

class Output {
public:
  explicit Output(std::size_t limit) : limit_(limit) {}
  ~Output() { // cause
    flush();
  }
  void write(const std::string &text) { pending_ += text; }
  void flush() {
    if (pending_.size() > limit_)
      throw std::runtime_error("disk full"); // fail
    std::fputs(pending_.c_str(), stdout);
    pending_.clear();
  }

private:
  std::size_t limit_;
  std::string pending_;
};

static void save(int lines) {
  Output output(20);
  for (int i = 0; i < lines; i++)
    output.write("line\n");
}

int main() {
  try {
    save(3);
    save(10);
  } catch (const std::exception &e) {
    std::printf("not saved: %s\n", e.what());
  }
}
