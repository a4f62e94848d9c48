// Streams and their buffers: the program's own, the standard ones, those of strings and files,
// those that a foreign library makes or is handed.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <streambuf>
#include <string>
#include <syncstream>
#include <vector>

void foreign_append(std::string &text);
void foreign_print(std::ostream &stream, int number);
int foreign_read(std::istream &stream);
std::stringstream *foreign_stream();
void foreign_fill(std::map<std::string, int> &map, std::list<int> &list);
std::streambuf *foreign_buffer(std::ostream &stream);

/// Upper case, line by line, into another buffer.
class Upper : public std::streambuf {
public:
  explicit Upper(std::streambuf *to) : to_(to) { setp(line_, line_ + sizeof line_); }

protected:
  int_type overflow(int_type byte) override {
    sync();
    if (byte != traits_type::eof()) {
      *pptr() = traits_type::to_char_type(byte);
      pbump(1);
    }
    return traits_type::not_eof(byte);
  }
  int sync() override {
    for (char *byte = pbase(); byte < pptr(); ++byte)
      to_->sputc(static_cast<char>(*byte >= 'a' && *byte <= 'z' ? *byte - 32 : *byte));
    setp(line_, line_ + sizeof line_);
    return to_->pubsync();
  }

private:
  std::streambuf *to_;
  char line_[10];
};

class Digits : public std::streambuf {
protected:
  int_type underflow() override {
    if (round_++ == 3)
      return traits_type::eof();
    snprintf(text_, sizeof text_, "%d ", round_ * 111);
    setg(text_, text_, text_ + strlen(text_));
    return traits_type::to_int_type(*gptr());
  }

private:
  int round_ = 0;
  char text_[8];
};

class Broken : public std::streambuf {
protected:
  int_type overflow(int_type) override { throw 42; }
  int_type underflow() override { throw std::string("no input"); }
};

struct Unprintable {};
static std::ostream &operator<<(std::ostream &, const Unprintable &) {
  throw 7;
}

static void ownBuffers() {
  Upper upper(std::cout.rdbuf());
  std::streambuf *before = std::cout.rdbuf(&upper);
  std::cout << "in capitals " << 255 << std::hex << ' ' << 255 << std::dec << std::endl;
  printf("%d\n", foreign_buffer(std::cout) == &upper);
  foreign_print(std::cout, 5);
  std::cout.rdbuf(before);
  Digits digits;
  before = std::cin.rdbuf(&digits);
  int number;
  while (std::cin >> number)
    std::cout << number << ';';
  std::cout << std::cin.eof() << std::cin.fail() << '\n';
  std::cin.clear();
  std::cin.rdbuf(before);
}

static void failing() {
  Broken broken;
  std::ostream out(&broken);
  out << 5;
  std::cout << "bad " << out.bad() << '\n';
  out.clear();
  out.exceptions(std::ios::badbit);
  try {
    out << "text";
  } catch (int number) {
    std::cout << "thrown " << number << '\n';
  }
  std::istream in(&broken);
  std::string word;
  in >> word;
  std::cout << "bad " << in.bad() << '\n';
  in.clear();
  in.exceptions(std::ios::badbit);
  try {
    std::getline(in, word);
  } catch (const std::string &what) {
    std::cout << "thrown " << what << '\n';
  }
  std::ostringstream text;
  try {
    text << Unprintable();
  } catch (int number) {
    std::cout << "thrown " << number << '\n';
  }
  std::istringstream letters("abc");
  letters.exceptions(std::ios::failbit);
  try {
    int number;
    letters >> number;
  } catch (const std::ios_base::failure &error) {
    std::cout << error.what() << ' ' << (error.code() == std::io_errc::stream) << '\n';
  }
  std::ifstream missing("/does/not/exist");
  std::cout << missing.is_open() << missing.fail() << '\n';
}

static void numbers() {
  std::ostringstream out;
  out << 1 << ' ' << -2L << ' ' << 3ULL << ' ' << 'c' << ' ' << true << ' ' << std::boolalpha
      << false << ' ' << 1.5f << ' ' << 1e100 << ' ' << 3.25L << ' ' << std::setprecision(3)
      << 3.14159 << ' ' << std::scientific << 12345.678 << ' ' << std::fixed << 2.0 << ' '
      << std::hexfloat << 1.0 << std::defaultfloat << ' ' << std::showbase << std::hex << 255 << ' '
      << std::oct << 8 << std::dec << ' ' << std::showpos << 7 << std::noshowpos << ' '
      << std::setw(8) << std::setfill('*') << std::left << 42 << '|' << std::setw(8)
      << std::internal << -42 << '|' << std::setw(5) << std::right << "ab" << '|'
      << static_cast<const void *>(nullptr) << ' ' << short(-3) << '\n';
  std::cout << out.str();
  std::istringstream in(
      "12 -7 0x1f 077 1e3 2.5 true 99999999999999 word \"two words\" rest of line\nnext");
  int a, b, c, d, e;
  double f, g;
  bool h;
  in >> a >> b >> std::hex >> c >> std::oct >> d >> std::dec >> f >> g >> std::boolalpha >> h;
  std::cout << a << ' ' << b << ' ' << c << ' ' << d << ' ' << f << ' ' << g << ' ' << h << '\n';
  in >> e;
  std::cout << e << ' ' << in.fail() << '\n';
  in.clear();
  std::string word, quoted, line;
  in >> word >> std::quoted(quoted);
  std::getline(in >> std::ws, line);
  std::cout << word << '|' << quoted << '|' << line << '|' << in.peek() << ' ' << in.tellg()
            << '\n';
  char buffer[4];
  in.get(buffer, sizeof buffer);
  in.unget();
  std::cout << buffer << in.gcount() << static_cast<char>(in.get()) << in.ignore(5).eof() << '\n';
}

static void files() {
  {
    std::ofstream out("streams.txt");
    for (int i = 0; i < 3000; ++i)
      out << "line " << i << '\n';
    out.seekp(0);
    out << "LINE";
    std::cout << out.tellp() << '\n';
  }
  std::fstream both("streams.txt", std::ios::in | std::ios::out);
  std::string line;
  size_t count = 0, length = 0;
  while (std::getline(both, line)) {
    ++count;
    length += line.size();
  }
  both.clear();
  both.seekg(-10, std::ios::end);
  both >> line;
  std::cout << count << ' ' << length << ' ' << line << '\n';
  both.seekp(5);
  both.write("9", 1);
  both.flush();
  both.seekg(0);
  std::getline(both, line);
  std::cout << line << '\n';
  char own[16];
  std::ifstream in;
  in.rdbuf()->pubsetbuf(own, sizeof own);
  in.open("streams.txt");
  std::stringstream whole;
  whole << in.rdbuf();
  std::cout << whole.str().size() << '\n';
  std::wofstream wide("wide.txt");
  wide << L"wide " << 12 << L'\n';
  wide.close();
  std::wifstream back("wide.txt");
  std::wstring text;
  std::getline(back, text);
  std::cout << text.size() << '\n';
  remove("streams.txt");
  remove("wide.txt");
}

static void foreign() {
  std::string text = "a text of the program";
  foreign_append(text);
  text += "; and more of it after that, for another block";
  std::cout << text << '\n';
  std::stringstream *made = foreign_stream();
  *made << " and extended";
  std::cout << made->str() << '\n';
  delete made;
  std::ostringstream own;
  foreign_print(own, 8);
  std::cout << own.str();
  std::istringstream in("31 32");
  std::cout << foreign_read(in) + foreign_read(in) << '\n';
  std::map<std::string, int> map{{"key 3", 5}, {"zero", 0}};
  std::list<int> list{100};
  foreign_fill(map, list);
  map.erase("key 4");
  list.reverse();
  list.sort();
  int sum = 0;
  for (const auto &[key, value] : map)
    sum = sum * 3 + value + static_cast<int>(key.size());
  std::cout << map.size() << ' ' << sum << ' ' << list.front() << ' ' << list.back() << '\n';
  std::ostream *stream = &own;
  std::cout << (dynamic_cast<std::ostringstream *>(stream) != nullptr)
            << (dynamic_cast<std::ofstream *>(stream) != nullptr) << '\n';
}

int main(int argc, char **) {
  if (argc > 1)
    std::ios::sync_with_stdio(false);
  std::cout << "first\n";
  std::cout.flush();
  printf("second\n");
  fflush(stdout);
  std::cerr << "to stderr " << 1 << '\n';
  std::clog << "to the log\n";
  ownBuffers();
  std::cout.flush();
  failing();
  numbers();
  files();
  foreign();
  std::osyncstream(std::cout) << "synchronised " << 1 << '\n';
  std::string word;
  int number;
  std::cin >> word >> number;
  std::cout << word << number << '\n';
  std::cout << std::cin.rdbuf()->in_avail() << '\n';
  char rest[20] = "";
  if (argc == 1)
    printf("%s", fgets(rest, sizeof rest, stdin));
  else
    std::cin.getline(rest, sizeof rest);
  std::getline(std::cin, word);
  std::cout << word << '\n' << std::cin.get() << std::cin.eof() << std::endl;
}
