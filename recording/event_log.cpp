// See event_log.h.
#include "recording/event_log.h"

#include "abi/recording.h"

#include <algorithm>

namespace culprit {
namespace fs = std::filesystem;

EventLog::EventLog(fs::path folder, LogWriter &log, uint64_t limit)
    : folder_(std::move(folder)), log_(log), limit_(limit) {
  if (limit_ != 0)
    part_ = std::make_unique<LogWriter>(partIn(folder_, 0));
}

std::string EventLog::append(std::string_view events, Packing packing) {
  std::string error =
      writer().append(ChunkKind::Events, events, hasLimit() ? Packing::Packed : packing);
  parts_.back().size = writer().position().size;
  return error;
}

std::string EventLog::begin(std::string_view checkpoint) {
  int64_t number = parts_.back().number + 1;
  auto fresh = std::make_unique<LogWriter>(partIn(folder_, number));
  if (std::string error = fresh->append(ChunkKind::Checkpoint, checkpoint); !error.empty()) {
    fresh.reset();
    std::error_code ignored;
    fs::remove(partIn(folder_, number), ignored);
    return error;
  }
  part_ = std::move(fresh);
  parts_.push_back({number, part_->position().size, {}});
  checkpointSize_ = parts_.back().size;
  return "";
}

/// A part takes a quarter, so that most of the room holds events; more if checkpoints are large.
uint64_t EventLog::roomInPart() const {
  uint64_t most = std::max(limit_ / 4, 2 * checkpointSize_);
  return most - std::min(most, parts_.back().size);
}

uint64_t EventLog::chunkLimit() const {
  return hasLimit() ? std::clamp(limit_ / 4, 2 * abi::kMostEvent, abi::kRingSize) : abi::kRingSize;
}

uint64_t EventLog::size() const {
  uint64_t size = log_.position().size;
  for (const Part &part : parts_)
    size += part.size;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder_ / "files", error))
    size += entry.file_size(error);
  return size;
}

std::set<int64_t> EventLog::dropOld() {
  std::set<int64_t> dropped;
  std::error_code ignored;
  while (limit_ != 0 && parts_.size() > 1 && size() > limit_) {
    Part old = std::move(parts_.front());
    parts_.pop_front();
    fs::remove(partIn(folder_, old.number), ignored);
    for (int64_t file : old.files) {
      bool isNeeded = std::any_of(parts_.begin(), parts_.end(),
                                  [&](const Part &part) { return part.files.contains(file); });
      if (!isNeeded) {
        fs::remove(keptFileIn(folder_, file), ignored);
        dropped.insert(file);
      }
    }
  }
  return dropped;
}

} // namespace culprit
