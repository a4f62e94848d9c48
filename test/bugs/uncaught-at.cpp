// A setting that is missing is asked for with at().
// expect: kind=uncaught-exception line=fail
// args: width=80 color=no
// cause: line=cause
#include <cstdio>
#include <map>
#include <string>

using Settings = std::map<std::string, std::string>;

static Settings parse(int count, char **words) {
  Settings settings;
  for (int i = 0; i < count; i++) {
    std::string word = words[i];
    std::size_t at = word.find('=');
    if (at != std::string::npos)
      settings[word.substr(0, at)] = word.substr(at + 1);
  }
  return settings;
}

static int area(const Settings &settings) {
  int width = std::stoi(settings.at("width"));
  return width * std::stoi(settings.at("height")); // fail
}

int main(int argc, char **argv) {
  Settings settings = parse(argc - 1, argv + 1); // cause: no default for height
  std::printf("%d\n", area(settings));
}
