// The base class's constructor registers the object, and registration calls a function that the
// derived class has not provided yet.
// expect: kind=terminate line=fail
// cause: line=cause
#include <cstdio>

class Plugin;
static int registerPlugin(Plugin &plugin);

class Plugin {
public:
  Plugin() {
    number_ = registerPlugin(*this); // cause
  }
  virtual ~Plugin() = default;
  virtual int priority() const = 0;
  int number() const { return number_; }

private:
  int number_ = 0;
};

class Spelling : public Plugin {
public:
  int priority() const override { return 3; }
};

__attribute__((noinline)) static int registerPlugin(Plugin &plugin) {
  static int next = 0;
  return plugin.priority() * 100 + next++; // fail
}

int main() {
  Spelling spelling;
  std::printf("%d\n", spelling.number());
}
