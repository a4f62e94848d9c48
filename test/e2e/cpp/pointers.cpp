// Keeps objects of many parts of the library until it exits, for a look at what their words point
// to. With an argument it shows where the library's own variables are that they lead to; with
// "foreign" or "blocks" it has a word of a kind that must not be.
#include <any>
#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <future>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <memory_resource>
#include <regex>
#include <sstream>
#include <string>
#include <system_error>
#include <typeindex>
#include <unordered_map>
#include <vector>

extern "C" void *__libc_malloc(size_t size);
namespace fs = std::filesystem;

struct Upper : std::streambuf {
  std::streambuf *next;
  explicit Upper(std::streambuf *to) : next(to) {}
  int_type overflow(int_type c) override { return next->sputc(static_cast<char>(std::toupper(c))); }
  int sync() override { return next->pubsync(); }
};
struct Dots : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

template <typename T> static T &keep(T *object) {
  static std::list<std::shared_ptr<void>> all;
  all.push_back(std::shared_ptr<void>(object, [](void *) {}));
  return *object;
}

static void streams() {
  std::ostream &upper = keep(new std::ostream(&keep(new Upper(std::cout.rdbuf()))));
  upper << "hello " << std::setprecision(3) << 1.23456 << std::endl;
  keep(new std::wostringstream) << L"wide" << 3;
  keep(new std::ofstream("kept.txt")) << "text\n" << std::flush;
  std::string word;
  keep(new std::ifstream("kept.txt")) >> word;
  keep(new std::fstream("kept.txt")).imbue(std::locale(std::locale(), new Dots));
  std::cout << word << '\n';
}

static void locales() {
  std::locale &dots = keep(new std::locale(std::locale(), new Dots));
  std::locale &utf = keep(new std::locale("C.UTF-8"));
  std::tm time{};
  time.tm_mday = 2;
  std::ostream &out = keep(new std::ostringstream);
  out.imbue(dots);
  out << 1234567;
  out.imbue(utf);
  out << std::put_time(&time, " %A %x ") << 0.5;
  std::wostream &wide = keep(new std::wostringstream);
  wide.imbue(utf);
  wide << std::put_time(&time, L"%B %x ") << 1.5;
  std::cout << static_cast<std::ostringstream &>(out).str();
  for (wchar_t c : static_cast<std::wostringstream &>(wide).str())
    std::cout << ' ' << static_cast<int>(c);
  auto &names = std::use_facet<std::ctype<wchar_t>>(utf);
  std::cout << '\n'
            << names.is(std::ctype_base::alpha, L'\u00e4') << (int)names.toupper(L'\u00e4') << '\n';
  keep(new const std::ctype<char> *(&std::use_facet<std::ctype<char>>(dots)));
}

static void files() {
  fs::create_directories("folder/inner");
  std::ofstream("folder/inner/file") << "x";
  auto &walk = keep(new fs::recursive_directory_iterator("folder"));
  std::cout << walk->path() << '\n' << (++walk)->path() << '\n';
  auto &error = keep(new std::error_code);
  fs::file_size("none", error);
  std::cout << error.message() << '\n';
  try {
    fs::copy("none", "other");
  } catch (fs::filesystem_error &) {
    keep(new std::exception_ptr(std::current_exception()));
  }
  keep(new fs::path(fs::canonical("folder/inner/..")));
}

static void expressions() {
  auto &words = keep(new std::regex("([a-z]+)\\s+([0-9]+)", std::regex::icase));
  std::cout << std::regex_replace("Word 12, other 345", words, "$2:$1") << '\n';
}

static void tasks() {
  auto &first = keep(new std::future<int>(std::async(std::launch::async, [] { return 4; })));
  auto &second = keep(new std::shared_future<int>(
      std::async(std::launch::async, []() -> int { throw std::runtime_error("in a task"); })));
  try {
    std::cout << first.get() << '\n' << second.get();
  } catch (std::exception &exception) {
    std::cout << exception.what() << '\n';
  }
  keep(new std::promise<int>).set_exception(std::make_exception_ptr(5));
}

static void containers() {
  auto &types = keep(new std::map<std::type_index, std::any>);
  types[typeid(int)] = 3;
  types[typeid(std::runtime_error)] = std::string("text that is longer than it is short");
  auto &pool = keep(new std::pmr::monotonic_buffer_resource);
  keep(new std::pmr::vector<int>(&pool)).push_back(1);
  keep(new std::unordered_map<std::string, std::shared_ptr<int>>)["x"] = std::make_shared<int>(5);
}

int main(int argc, char **argv) {
  streams();
  locales();
  files();
  expressions();
  tasks();
  containers();
  fs::remove_all("folder");
  fs::remove("kept.txt");
  if (argc < 2)
    return 0;
  if (strcmp(argv[1], "foreign") == 0)
    keep(new void *(dlsym(RTLD_DEFAULT, "_libc_intl_domainname")));
  if (strcmp(argv[1], "block") == 0)
    keep(new void *(__libc_malloc(100)));
}
