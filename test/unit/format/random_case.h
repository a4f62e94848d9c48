// What random tests of printf and scanf share: a generator of numbers, memory at a fixed address
// for what arguments point to, and argument lists that are made up.
//
// Tests in one process and programs of end-to-end tests draw the same cases from the same seed.
#ifndef CULPRIT_TEST_RANDOM_CASE_H
#define CULPRIT_TEST_RANDOM_CASE_H

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace random_case {

class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t value = state_ += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }
  uint64_t below(uint64_t limit) { return next() % limit; }
  bool oneIn(uint64_t count) { return below(count) == 0; }
  char oneOf(const char *letters) { return letters[below(strlen(letters))]; }

private:
  uint64_t state_;
};

/// Memory whose addresses are small numbers when they are taken for ints, so that an argument can
/// be a pointer, a number or a width.
class Pool {
public:
  static constexpr uint64_t kAddress = 0x500000000;
  static constexpr size_t kSize = 32768;

  static char *memory() {
    void *place = reinterpret_cast<void *>(kAddress); // NOLINT(performance-no-int-to-ptr)
    static void *const made = mmap(place, kSize, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (made == MAP_FAILED)
      abort();
    return static_cast<char *>(made);
  }
};

/// Arguments as if all had been passed on the stack.
class Arguments {
public:
  void add(uint64_t slot) { slots_.push_back(slot); }
  void add(double value) {
    uint64_t slot;
    memcpy(&slot, &value, sizeof slot);
    add(slot);
  }
  void add(const void *pointer) { add(reinterpret_cast<uint64_t>(pointer)); }
  void add(long double value) {
    if (slots_.size() % 2 != 0)
      add(uint64_t{0});
    uint64_t halves[2] = {};
    memcpy(halves, &value, 10);
    add(halves[0]);
    add(halves[1]);
  }

  /// Calls `call(arguments)`.
  template <typename Call> auto pass(Call call) const {
    alignas(16) static uint64_t area[2048];
    size_t count = slots_.size() < 2048 ? slots_.size() : 2048;
    memcpy(area, slots_.data(), count * sizeof(uint64_t));
    va_list list;
    list->gp_offset = 48;
    list->fp_offset = 176;
    list->overflow_arg_area = area;
    list->reg_save_area = nullptr;
    return call(list);
  }

private:
  std::vector<uint64_t> slots_;
};

/// A text that can be read on a screen.
template <typename Text> std::string shown(const Text &text) {
  std::string result;
  for (auto unit : text) {
    char buffer[16];
    unsigned number = sizeof unit == 1 ? static_cast<unsigned char>(unit) : unit;
    if (number >= 32 && number < 127 && number != '\\')
      result += static_cast<char>(number);
    else
      result += (snprintf(buffer, sizeof buffer, "\\x%x.", number), buffer);
  }
  return result;
}

inline uint64_t numberFromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, nullptr, 0) : otherwise;
}

} // namespace random_case
#endif
