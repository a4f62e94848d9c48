// See known_file.h.
#include "recording/known_file.h"

#include <algorithm>

namespace culprit {

void KnownFile::sawBytes(uint64_t at, std::string_view bytes) {
  if (isChanged_ || bytes.empty() || at > kMost || bytes.size() > kMost)
    return;
  uint64_t begin = at;
  uint64_t end = at + bytes.size();
  if (bytes_.size() < end)
    bytes_.resize(end);
  bytes_.replace(begin, bytes.size(), bytes);
  auto next = stretches_.upper_bound(begin);
  if (next != stretches_.begin() && std::prev(next)->second >= begin)
    --next;
  while (next != stretches_.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    next = stretches_.erase(next);
  }
  stretches_[begin] = end;
}

bool KnownFile::isWhole() const {
  if (!size_)
    return false;
  if (*size_ == 0)
    return true;
  return stretches_.size() == 1 && stretches_.begin()->first == 0 &&
         stretches_.begin()->second >= *size_;
}

} // namespace culprit
