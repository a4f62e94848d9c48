// A lookup that fails gives a null pointer, whose virtual function is called.
// expect: kind=segmentation-fault line=fail name=`command->execute(...)`
// cause: line=cause
// locate: line=first
#include <cstdio>
#include <map>
#include <memory>
#include <string>

struct Command {
  virtual ~Command() = default;
  virtual int execute(const std::string &arguments) = 0;
};

struct Echo : Command {
  int execute(const std::string &arguments) override { return std::puts(arguments.c_str()); }
};

class Registry {
public:
  void add(const std::string &name, std::unique_ptr<Command> command) {
    commands_[name] = std::move(command);
  }
  Command *find(const std::string &name) const {
    auto found = commands_.find(name);
    return found == commands_.end() ? nullptr : found->second.get(); // first
  }

private:
  std::map<std::string, std::unique_ptr<Command>> commands_;
};

int main(int argc, char **argv) {
  Registry registry;
  registry.add("echo", std::make_unique<Echo>());
  Command *command = registry.find(argc > 1 ? argv[1] : "ecko"); // cause: may be null
  return command->execute("hello");                              // fail
}
