// Hash values, and how many buckets a table has for them.
#include <algorithm>
#include <bits/functional_hash.h>
#include <bits/hash_bytes.h>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <unordered_set>

namespace std {

namespace {

uint64_t wordAt(const unsigned char *bytes, size_t size) {
  uint64_t word = 0;
  for (size_t i = 0; i < size; ++i)
    word |= uint64_t{bytes[i]} << (8 * i);
  return word;
}

uint64_t mixed(uint64_t word) {
  return word ^ (word >> 47);
}

} // namespace

/// MurmurHash2 for 64 bits, by Austin Appleby.
size_t _Hash_bytes(const void *memory, size_t size, size_t seed) {
  constexpr uint64_t factor = 0xc6a4'a793'5bd1'e995;
  const auto *bytes = static_cast<const unsigned char *>(memory);
  const unsigned char *end = bytes + (size & ~size_t{7});
  uint64_t hash = seed ^ (size * factor);
  for (; bytes != end; bytes += 8)
    hash = (hash ^ (mixed(wordAt(bytes, 8) * factor) * factor)) * factor;
  if (size % 8 != 0)
    hash = (hash ^ wordAt(end, size % 8)) * factor;
  return mixed(mixed(hash) * factor);
}

/// FNV-1a.
size_t _Fnv_hash_bytes(const void *memory, size_t size, size_t hash) {
  const auto *bytes = static_cast<const unsigned char *>(memory);
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * 1099511628211U;
  return hash;
}

namespace __detail {

/// The shared library's: 304 of increasing size, with a last one that stands for all above.
extern const unsigned long __prime_list[];

namespace {

constexpr size_t kPrimes = 304;
constexpr unsigned char kFewBuckets[] = {2, 2, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13};

/// How many elements so many buckets are for.
size_t elementsFor(size_t buckets, float load) {
  return static_cast<size_t>(floor(buckets * static_cast<double>(load)));
}

} // namespace

size_t _Prime_rehash_policy::_M_next_bkt(size_t wanted) const {
  if (wanted < sizeof kFewBuckets) {
    if (wanted == 0)
      return 1;
    _M_next_resize = elementsFor(kFewBuckets[wanted], _M_max_load_factor);
    return kFewBuckets[wanted];
  }
  const unsigned long *last = __prime_list + kPrimes - 1;
  const unsigned long *found = lower_bound(__prime_list + 6, last, wanted);
  _M_next_resize = found == last ? SIZE_MAX : elementsFor(*found, _M_max_load_factor);
  return *found;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements,
                                                        size_t added) const {
  if (elements + added <= _M_next_resize)
    return {false, 0};
  // A table's first elements are at least eleven.
  size_t least = max<size_t>(elements + added, _M_next_resize ? 0 : 11);
  double wanted = static_cast<double>(least) / static_cast<double>(_M_max_load_factor);
  if (wanted >= static_cast<double>(buckets))
    return {true, _M_next_bkt(max<size_t>(static_cast<size_t>(floor(wanted)) + 1,
                                          buckets * _S_growth_factor))};
  _M_next_resize = elementsFor(buckets, _M_max_load_factor);
  return {false, 0};
}

} // namespace __detail
} // namespace std
