// Logs that are damaged at random: each damage is reported, and what is shorter than it was is
// read up to where it ends.
#include "abi/recording.h"
#include "recording/log.h"
#include "support/diagnostics.h"

#include <gtest/gtest.h>
#include <random>

namespace culprit {
namespace {

template <typename Type> std::string bytesOf(Type value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

std::string callWith(std::string_view written, uint64_t clock) {
  abi::CallEvent call = {};
  uint64_t size = sizeof call + sizeof(abi::WrittenBytes) + (written.size() + 7) / 8 * 8;
  call.event = {static_cast<uint32_t>(size), abi::EventKind::Call, 0, 1, clock};
  call.writes = 1;
  std::string event = bytesOf(call) + bytesOf(abi::WrittenBytes{0x1000, written.size()});
  event += written;
  event.resize(size);
  return event;
}

/// A log of several chunks, with how long it is up to the end of each.
struct Sample {
  std::string bytes;
  std::vector<size_t> ends;

  Sample() {
    RecordingMeta meta;
    meta.program = "/bin/program";
    meta.arguments = {"program", "argument"};
    add(ChunkKind::Meta, meta.serialise());
    for (uint64_t i = 0; i < 6; ++i)
      add(ChunkKind::Events, callWith("some text " + std::to_string(i * 7919), i) +
                                 callWith(std::string(i * 100, 'x'), i));
    std::mt19937 random(4); // NOLINT(cert-msc51-cpp): too random to be packed
    std::string noise(500, '\0');
    for (char &each : noise)
      each = static_cast<char>(random());
    add(ChunkKind::Events, callWith(noise, 6) + callWith(noise.substr(7), 6));
    add(ChunkKind::End, bytesOf(RecordedEnd{4, 0, 6, 0, 0}));
  }

  void add(ChunkKind kind, std::string_view content) {
    bytes += packChunk(kind, ends.size(), content);
    ends.push_back(bytes.size());
  }
};

TEST(Log, ReadsWhatWasWritten) {
  Sample sample;
  RecordedLog log = parseLog(sample.bytes, "sample");
  EXPECT_EQ(log.meta.arguments.size(), 2U);
  EXPECT_EQ(log.eventCount, 14U);
  ASSERT_TRUE(log.end);
  EXPECT_EQ(log.end->status, 4);
  EXPECT_FALSE(log.isTorn);
}

TEST(Log, ReadsEveryBeginning) {
  Sample sample;
  for (size_t size = sample.ends[0]; size < sample.bytes.size(); ++size) {
    size_t whole = 0;
    while (sample.ends[whole] <= size)
      ++whole;
    RecordedLog log = parseLog(std::string_view(sample.bytes).substr(0, size), "sample");
    EXPECT_EQ(log.eventCount, (whole - 1) * 2);
    EXPECT_EQ(log.isTorn, sample.ends[whole - 1] != size);
    EXPECT_FALSE(log.end);
  }
}

TEST(Log, ReportsRandomDamage) {
  Sample sample;
  std::mt19937 random(5); // NOLINT(cert-msc51-cpp): the same in every run
  auto below = [&](size_t limit) { return random() % limit; };
  for (int i = 0; i < 500; ++i) {
    std::string damaged = sample.bytes;
    size_t at = below(damaged.size());
    size_t size = std::min(1 + below(64), damaged.size() - at);
    if (i % 3 == 0)
      for (size_t j = at; j < at + size; ++j)
        damaged[j] = static_cast<char>(below(256));
    else
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << below(8));
    if (damaged != sample.bytes)
      EXPECT_THROW(parseLog(damaged, "sample"), Failure) << "number " << i << " at " << at;
  }
}

/// What is left out, or comes twice, cannot be told from a torn chunk if it is in the last one.
TEST(Log, ReportsRandomSplices) {
  Sample sample;
  std::mt19937 random(6); // NOLINT(cert-msc51-cpp)
  for (int i = 0; i < 500; ++i) {
    size_t first = random() % sample.bytes.size();
    size_t second = random() % sample.bytes.size();
    if (first == second)
      continue;
    std::string spliced = sample.bytes.substr(0, first) + sample.bytes.substr(second);
    try {
      RecordedLog log = parseLog(spliced, "sample");
      EXPECT_TRUE(log.isTorn || spliced == sample.bytes.substr(0, spliced.size()))
          << first << " " << second;
      EXPECT_FALSE(log.end);
    } catch (const Failure &) { // NOLINT(bugprone-empty-catch)
    }
  }
}

} // namespace
} // namespace culprit
