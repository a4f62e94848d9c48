// Predictors with and without a past. See predictor.h and prior.h.
//
// The file of the prior has three parts, numbers little-endian:
// 1. for each kept bucket its index (2 bytes), its first number (2) and the others in 1/256 (15);
//    two bytes of ones, twice, end the part
// 2. for each kept guess its index (2) and the guess itself (2: sure, 3 bits, and value); the same
//    end
// 3. all flags, in 1/256
#include "compiler/embed/predictor.h"
#include "compiler/embed/prior.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using support::endian::read16le;

namespace culprit {
namespace {

/// Kept are buckets that were asked so often and guesses that were right so often in a row; what is
/// taken from them counts as little, so that a module is soon believed more than the past.
constexpr unsigned kLeastAsked = 10, kBeginAsked = 5, kLeastSure = 2, kBeginSure = 1;
constexpr unsigned kFineBits = 7; ///< lost of a bucket's numbers
constexpr uint16_t kEnd = 0xffff;

void put16(std::string &out, unsigned value) {
  out += char(value);
  out += char(value >> 8);
}

} // namespace

Predictor::Predictor(Empty)
    : buckets(size_t(1) << kBucketBits), guesses(size_t(1) << kGuessBits), flags(kFlags) {}

Predictor::Predictor() : Predictor(Empty()) {
  const char *at = culprit::prior().data();
  for (; read16le(at) != kEnd || read16le(at + 2) != kEnd; at += 19) {
    Frequencies &bucket = buckets[read16le(at)];
    bucket.begin[0] = read16le(at + 2);
    for (unsigned i = 1; i < 16; ++i) // apart, even where fine differences were lost
      bucket.begin[i] = uint16_t((uint8_t(at[3 + i]) << kFineBits) + 4 * i);
  }
  for (at += 4; read16le(at) != kEnd || read16le(at + 2) != kEnd; at += 4) {
    guesses[read16le(at)].bits = read16le(at + 2);
  }
  at += 4;
  for (size_t i = 0; i < kFlags; ++i)
    flags[i] = uint16_t(((uint8_t(at[i]) << 8) + 128) ^ kEven);
}

std::string Predictor::prior() const {
  std::string out;
  for (unsigned i = 0; i < (1 << kBucketBits); ++i) {
    const Frequencies &bucket = buckets[i];
    if (bucket.asked() < kLeastAsked)
      continue;
    put16(out, i);
    put16(out, (bucket.begin[0] & ~15u) | kBeginAsked);
    for (unsigned j = 1; j < 16; ++j)
      out += char(bucket.begin[j] >> kFineBits);
  }
  put16(out, kEnd);
  put16(out, kEnd);
  for (unsigned i = 0; i < (1 << kGuessBits); ++i)
    if (guesses[i].sure() >= kLeastSure && guesses[i].value() < (1 << 12)) {
      put16(out, i);
      put16(out, unsigned(guesses[i].value()) << 3 | kBeginSure);
    }
  put16(out, kEnd);
  put16(out, kEnd);
  for (size_t i = 0; i < kFlags; ++i)
    out += char((flags[i] ^ kEven) >> 8);
  return out;
}

} // namespace culprit
