// Parts of the library that are large inside: regex, filesystem, locale facets, chrono, random,
// containers, type information.
#include <any>
#include <bitset>
#include <charconv>
#include <chrono>
#include <codecvt>
#include <complex>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <list>
#include <locale>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>

namespace fs = std::filesystem;

static void expressions() {
  std::string text = "one 1, twenty-two 22, three-hundred 300";
  std::regex pair("([a-z-]+) ([0-9]+)");
  for (std::sregex_iterator match(text.begin(), text.end(), pair), end; match != end; ++match)
    std::cout << (*match)[1] << '=' << (*match)[2] << '\n';
  std::cout << std::regex_replace(text, std::regex("[0-9]"), "#") << '\n';
  std::smatch found;
  std::cout << std::regex_match(std::string("2024-02-30"), std::regex(R"((\d{4})-(\d\d)-(\d\d))"))
            << '\n';
  std::cout << std::regex_search(text, found, std::regex("TWENTY", std::regex::icase))
            << found.position() << '\n';
  try {
    std::regex broken("a(b");
  } catch (const std::regex_error &error) {
    std::cout << error.what() << ' ' << (error.code() == std::regex_constants::error_paren) << '\n';
  }
}

static void files() {
  fs::path folder = fs::current_path() / "library-files";
  fs::remove_all(folder);
  fs::create_directories(folder / "a" / "b");
  for (const char *name : {"x.txt", "y.txt", "a/z.txt", "a/b/w.bin"})
    std::ofstream(folder / name) << name;
  std::set<std::string> names;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
    names.insert(fs::relative(entry.path(), folder).string() + (entry.is_directory() ? "/" : ""));
  for (const std::string &name : names)
    std::cout << name << ' ';
  std::cout << fs::file_size(folder / "a/z.txt") << '\n';
  fs::copy(folder / "a", folder / "c", fs::copy_options::recursive);
  fs::rename(folder / "x.txt", folder / "renamed");
  fs::create_symlink("renamed", folder / "link");
  std::cout << fs::read_symlink(folder / "link") << fs::exists(folder / "c/b/w.bin")
            << fs::is_symlink(folder / "link")
            << fs::equivalent(folder / "link", folder / "renamed") << '\n';
  std::error_code error;
  fs::file_size(folder / "missing", error);
  std::cout << error.message() << ' ' << (error == std::errc::no_such_file_or_directory) << '\n';
  try {
    fs::create_directory(folder / "missing" / "deep");
  } catch (const fs::filesystem_error &thrown) {
    std::cout << thrown.code().value() << ' ' << thrown.path1().filename() << '\n';
  }
  fs::path path = "/usr/./lib/../share//x.tar.gz";
  std::cout << path.lexically_normal() << path.extension() << path.stem() << path.parent_path()
            << '\n';
  std::cout << fs::remove_all(folder) << '\n';
}

struct Points : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_truename() const override { return "ja"; }
};

struct Comma : std::ctype<char> {
  static const mask *table() {
    static mask own[table_size];
    std::copy(classic_table(), classic_table() + table_size, own);
    own[static_cast<unsigned char>(',')] = space;
    return own;
  }
  Comma() : std::ctype<char>(table()) {}
};

struct Roman : std::num_put<char> {
  iter_type do_put(iter_type out, std::ios_base &, char, long value) const override {
    for (; value > 0; --value)
      *out++ = 'I';
    return out;
  }
};

static void facets() {
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new Points));
  out << 1234567 << ' ' << 1234.5 << ' ' << std::boolalpha << true;
  std::cout << out.str() << '\n';
  std::istringstream in("7.654.321 2,5");
  in.imbue(out.getloc());
  int number = 0;
  double fraction = 0;
  in >> number >> fraction;
  std::cout << number << ' ' << fraction << '\n';
  std::istringstream list("a,b c,d");
  list.imbue(std::locale(std::locale(), new Comma));
  for (std::string word; list >> word;)
    std::cout << word << '.';
  std::cout << '\n';
  std::ostringstream roman;
  roman.imbue(std::locale(std::locale(), new Roman));
  roman << 4L << ' ' << 3 << ' ' << 2.5;
  std::cout << roman.str() << '\n';
  std::tm when{};
  std::istringstream date("2021-03-04 05:06:07");
  date >> std::get_time(&when, "%Y-%m-%d %H:%M:%S");
  std::cout << when.tm_year << ' ' << when.tm_mon << ' ' << std::put_time(&when, "%d.%m.%y %H:%M")
            << '\n';
  std::cout << std::showbase << std::put_money("12345") << std::noshowbase << '\n';
  const auto &collate = std::use_facet<std::collate<char>>(std::locale::classic());
  const char *words[] = {"abc", "abd"};
  std::cout << collate.compare(words[0], words[0] + 3, words[1], words[1] + 3) << '\n';
  std::cout << std::use_facet<std::ctype<char>>(std::locale()).toupper('q')
            << std::isalpha('1', std::locale()) << '\n';
  try {
    std::locale("no such locale");
  } catch (const std::runtime_error &error) {
    std::cout << error.what() << '\n';
  }
  std::locale utf("C.UTF-8");
  std::wostringstream wide;
  wide.imbue(utf);
  wide << L"\u00e4" << 1.5;
  std::cout << wide.str().size() << ' ' << utf.name() << ' ' << (utf == std::locale::classic())
            << '\n';
  std::wstring_convert<std::codecvt_utf8<wchar_t>> convert;
  std::cout << convert.to_bytes(L"\u20ac").size() << convert.from_bytes("\xc3\xa4").size() << '\n';
}

template <typename Container> static size_t digest(const Container &container) {
  size_t sum = 0;
  for (const auto &item : container)
    sum = sum * 31 + static_cast<size_t>(item);
  return sum;
}

static void containers() {
  std::mt19937 random(7);
  std::set<int> ordered;
  std::multiset<int> repeated;
  std::unordered_set<int> hashed;
  std::list<int> list;
  std::forward_list<int> forward;
  std::deque<int> deque;
  for (int i = 0; i < 2000; ++i) {
    int number = std::uniform_int_distribution<>(0, 999)(random);
    ordered.insert(number);
    repeated.insert(number);
    hashed.insert(number);
    list.push_back(number);
    forward.push_front(number);
    deque.push_front(number);
    if (i % 3 == 0) {
      ordered.erase(number / 2);
      repeated.erase(number / 3);
      hashed.erase(number / 4);
    }
  }
  list.sort();
  list.unique();
  forward.sort();
  std::list<int> other{5000, 6000};
  list.splice(list.begin(), other);
  std::cout << digest(ordered) << ' ' << digest(repeated) << ' ' << hashed.size() << ' '
            << hashed.bucket_count() << ' ' << digest(hashed) << ' ' << digest(list) << ' '
            << digest(forward) << ' ' << digest(deque) << '\n';
  std::unordered_map<std::string, std::vector<int>> groups;
  for (int i = 0; i < 100; ++i)
    groups["group number " + std::to_string(i % 7)].push_back(i);
  groups.rehash(200);
  std::cout << groups.size() << ' ' << groups.bucket_count() << ' '
            << groups["group number 3"].size() << '\n';
  std::cout << std::hash<std::string>()("hash of a text") << ' ' << std::hash<double>()(2.5)
            << '\n';
  std::map<std::type_index, std::string> types{{typeid(int), "int"},
                                               {typeid(std::string), "string"}};
  std::cout << types[typeid(std::string)] << ' ' << typeid(std::ostringstream).name() << '\n';
  std::any any = std::string("in an any");
  try {
    std::any_cast<int>(any);
  } catch (const std::bad_any_cast &error) {
    std::cout << error.what() << '\n';
  }
  try {
    std::get<1>(std::variant<int, double>(1));
  } catch (const std::bad_variant_access &error) {
    std::cout << error.what() << '\n';
  }
  try {
    std::vector<int>(3).at(5);
  } catch (const std::out_of_range &error) {
    std::cout << error.what() << '\n';
  }
  try {
    std::string("abc").substr(7);
  } catch (const std::out_of_range &error) {
    std::cout << error.what() << '\n';
  }
}

static void texts() {
  std::string text = "the quick brown fox";
  text.replace(4, 5, "slow").append(3, '!').insert(0, "see ");
  text.erase(text.find("brown"), 6);
  std::cout << text << ' ' << text.rfind("o") << text.find_first_of("xyz")
            << text.find_last_not_of("!") << text.compare("see") << '\n';
  text.resize(30, '.');
  text.shrink_to_fit();
  std::string moved = std::move(text);
  moved.swap(text);
  std::cout << text.substr(20) << text.capacity() << (text < "tee") << (text + "x" == "y" + text)
            << '\n';
  std::wstring wide(20, L'w');
  wide += L"ide";
  std::u16string sixteen = u"sixteen";
  std::cout << wide.size() << sixteen.substr(3).size() << '\n';
  std::cout << std::stoi("42") << std::stod("2.5") << std::to_string(3.5)
            << std::stoul("ff", nullptr, 16) << '\n';
  try {
    std::stoi("none");
  } catch (const std::invalid_argument &error) {
    std::cout << error.what() << '\n';
  }
  char digits[40];
  auto end = std::to_chars(digits, digits + sizeof digits, 0.1 + 0.2);
  double number = 0;
  std::from_chars(digits, end.ptr, number);
  std::cout << std::string(digits, end.ptr) << (number == 0.1 + 0.2) << '\n';
  std::vector<std::string> words{std::istream_iterator<std::string>(std::cin), {}};
  std::copy(words.begin(), words.end(), std::ostream_iterator<std::string>(std::cout, ","));
  std::cout << std::bitset<10>(37) << std::complex<double>(1, 2) * 2.0
            << std::valarray<int>{1, 2, 3}.sum() << '\n';
}

int main() {
  expressions();
  files();
  facets();
  containers();
  texts();
}
