// A count of -1 from a broken header is taken as a size.
// expect: kind=uncaught-exception line=fail
// args: -1
// cause: line=cause
#include <cstdio>
#include <cstdlib>
#include <new>

struct Header {
  int version;
  int count;
};

class Samples {
public:
  explicit Samples(std::size_t count) : count_(count), values_(new float[count]) { // fail
    for (std::size_t i = 0; i < count; i++)
      values_[i] = 0;
  }
  ~Samples() { delete[] values_; }
  std::size_t count() const { return count_; }
  float first() const { return values_[0]; }

private:
  std::size_t count_;
  float *values_;
};

static Header readHeader(const char *text) {
  return {1, std::atoi(text)};
}

int main(int argc, char **argv) {
  Header header = readHeader(argc > 1 ? argv[1] : "4");
  Samples samples(static_cast<unsigned>(header.count) * 16777216UL); // cause
  std::printf("%zu %g\n", samples.count(), static_cast<double>(samples.first()));
}
