// See snapshot.h.
#include "cli/snapshot.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit {
namespace {

/// The record was written by a program that may have written over it since.
bool isOurChild(pid_t process) {
  siginfo_t info;
  return process > 0 &&
         waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

} // namespace

Snapshot::Snapshot(const abi::FailureRecord &record) {
  auto process = static_cast<pid_t>(record.snapshot);
  if (!isOurChild(process))
    return;
  process_ = process;
  memory_ = open(fmt::format("/proc/{}/mem", process_).c_str(), O_RDONLY | O_CLOEXEC);
}

Snapshot::~Snapshot() {
  if (memory_ >= 0)
    close(memory_);
  if (process_ == 0)
    return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

const Snapshot::Page &Snapshot::pageAt(uint64_t address) const {
  auto [place, isNew] = pages_.try_emplace(address);
  Page &page = place->second;
  if (!isNew)
    return page;
  page.emplace();
  if (pread(memory_, page->data(), kPage, static_cast<off_t>(address)) !=
      static_cast<ssize_t>(kPage))
    page.reset();
  return page;
}

bool Snapshot::read(uint64_t address, void *bytes, size_t size) const {
  auto *out = static_cast<char *>(bytes);
  while (size > 0) {
    uint64_t start = address % kPage;
    const Page &page = pageAt(address - start);
    size_t part = std::min<size_t>(size, kPage - start);
    if (!page)
      return false;
    std::memcpy(out, page->data() + start, part);
    out += part;
    address += part;
    size -= part;
  }
  return true;
}

} // namespace culprit
