// A class that owns a buffer and is copied: no copy constructor, two destructors.
// expect: kind=double-free line=fail name=the heap block of 64 bytes allocated at @alloc and freed at @fail
// cause: line=cause
// locate: line=first and=fail
#include <cstddef>
#include <cstdio>
#include <cstring>

class Text { // cause: no copy constructor
public:
  explicit Text(const char *from) : bytes_(new char[64]) { // alloc
    std::strncpy(bytes_, from, 63);
    bytes_[63] = 0;
  }
  ~Text() {
    delete[] bytes_; // fail
  }
  std::size_t length() const { return std::strlen(bytes_); }

private:
  char *bytes_;
};

static std::size_t measure(Text text) {
  return text.length();
}

int main() {
  Text title("a title");
  std::size_t sum = measure(title); // first
  std::printf("%zu\n", sum);
}
