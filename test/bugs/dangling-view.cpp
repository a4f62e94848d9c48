// A string_view of a temporary string; the text is gone when it is read as a number.
// expect: kind=uncaught-exception line=fail
// layout: {"fill": {"freed": 221}}
// cause: line=cause
// locate: line=cause
#include <cstdio>
#include <string>
#include <string_view>

static std::string padded(int value) {
  return std::string(40, '0') + std::to_string(value);
}

struct Field {
  std::string_view text;
};

static Field field(int value) {
  return {padded(value)}; // cause
}

static int number(const Field &f) {
  return std::stoi(std::string(f.text)); // fail
}

int main(int argc, char **) {
  Field width = field(argc * 80);
  std::printf("%d\n", number(width));
}
