// Windows in a tree, and a table of their names. A window that is removed takes those inside of it
// along, but not their names.
// expect: kind=segmentation-fault line=fail name=windows.names["
// layout: {"heap": {"fence": true}}
// cause: line=cause
// locate: line=cause
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct Window {
  std::string name;
  Window *parent = nullptr;
  std::vector<std::unique_ptr<Window>> inside;

  ~Window() {}
};

struct Windows {
  std::unordered_map<std::string, Window *> names;
  Window root;

  Window *add(Window &parent, const std::string &name) {
    auto window = std::make_unique<Window>();
    window->name = name;
    window->parent = &parent;
    names[name] = window.get();
    parent.inside.push_back(std::move(window));
    return parent.inside.back().get();
  }

  void remove(const std::string &name) {
    Window *window = names.at(name);
    auto &inside = window->parent->inside;
    auto isThat = [&](const auto &other) { return other.get() == window; };
    inside.erase(std::remove_if(inside.begin(), inside.end(), isThat), inside.end()); // cause
    names.erase(name);
  }
};

int main() {
  Windows windows;
  Window *panel = windows.add(windows.root, "panel");
  windows.add(*panel, "button that says yes");
  windows.add(*panel, "button that says no");
  windows.remove("panel");
  for (const auto &[name, window] : windows.names)
    std::printf("%s in %s\n", window->name.c_str(), window->parent->name.c_str()); // fail
}
