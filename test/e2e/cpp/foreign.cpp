// A library that others compiled: it calls back, throws, and uses streams, strings and facets that
// the program hands it.
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

extern "C" int foreign_each(int (*callback)(int, void *), void *context, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += callback(i, context);
  return sum;
}

int foreign_cpp_each(const std::function<int(int)> &callback, int count) {
  struct Cleanup {
    ~Cleanup() { std::cout << "cleaned up\n"; }
  } cleanup;
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += callback(i);
  return sum;
}

std::string foreign_throw(const std::string &what) {
  if (!what.empty())
    throw std::domain_error(what);
  return "an answer that is longer than a short one";
}

void foreign_append(std::string &text) {
  text += " and what the library added to it";
  text.insert(0, "library: ");
}

void foreign_print(std::ostream &stream, int number) {
  stream << "from the library " << number << ' ' << 2.5 << std::endl;
}

int foreign_read(std::istream &stream) {
  int number = 0;
  stream >> number;
  return number;
}

std::stringstream *foreign_stream() {
  auto *stream = new std::stringstream;
  *stream << "made by the library " << 17;
  return stream;
}

void foreign_fill(std::map<std::string, int> &map, std::list<int> &list) {
  for (int i = 0; i < 20; ++i) {
    map["key " + std::to_string(i * 7 % 20)] = i;
    list.push_front(i);
  }
}

std::streambuf *foreign_buffer(std::ostream &stream) {
  return stream.rdbuf();
}
