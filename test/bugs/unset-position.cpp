// A decoder whose position in its buffer is never set; most often the stack holds a zero there.
// expect: kind=segmentation-fault line=fail
// layout: {"fill": {"uninitialised": 165}}
// cause: line=cause
// locate: line=made
#include <cstdio>
#include <cstring>

class Decoder {
public:
  explicit Decoder(unsigned size) : buffer_(new char[size]), size_(size) { // cause: pos_(0)
    std::memset(buffer_, ' ', size);
  }
  Decoder(const Decoder &) = delete;
  Decoder &operator=(const Decoder &) = delete;
  ~Decoder() { delete[] buffer_; }

  /// Letters as they are; a digit repeats the letter before it so often.
  unsigned decode(const char *text) {
    for (; *text; ++text)
      if (*text >= '0' && *text <= '9' && ++digits_[*text - '0'])
        for (int left = *text - '0'; left > 0; --left)
          put(previous());
      else
        put(*text);
    flush();
    return sum_;
  }

private:
  char previous() const { return buffer_[(pos_ > 0 ? pos_ : size_) - 1]; } // fail

  void put(char letter) {
    if (pos_ >= size_)
      flush();
    buffer_[pos_++] = letter;
  }

  void flush() {
    if (pos_ > flushed_) {
      for (unsigned i = flushed_; i < pos_; ++i)
        sum_ = sum_ * 31 + static_cast<unsigned char>(buffer_[i]);
      if (pos_ >= size_)
        pos_ = 0;
      flushed_ = pos_;
    }
  }

  char *buffer_;
  unsigned size_;
  unsigned pos_;
  unsigned flushed_ = 0;
  unsigned sum_ = 0;
  unsigned digits_[10] = {};
};

static unsigned decode(const char *text) {
  Decoder decoder(16); // made
  return decoder.decode(text);
}

int main() {
  std::printf("%u\n", decode("4a3bcd2efghij5klmnopq"));
}
