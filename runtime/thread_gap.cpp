// See thread_gap.h. This file is the first of its archive, so that what it has is before all other
// thread-locals of the runtime.
#include "runtime/thread_gap.h"

#include "runtime/images.h"
#include "runtime/system.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;

__attribute__((used, retain, tls_model("initial-exec"))) __thread char t_gap[kThreadGap];

uint64_t self() {
  return reinterpret_cast<uint64_t>(__builtin_thread_pointer());
}

/// The first whole page of the gap behind.
uint64_t backGuard() {
  return (reinterpret_cast<uint64_t>(t_gap) + kPage - 1) & ~(kPage - 1);
}

void guard(uint64_t page) {
  rawSyscall(SYS_mprotect, static_cast<long>(page), kPage, PROT_NONE);
}

bool hasThreadLocals(const ImageRecord &image) {
  const auto *header = static_cast<const Elf64_Ehdr *>(image.base);
  const auto *segments =
      reinterpret_cast<const Elf64_Phdr *>(static_cast<const char *>(image.base) + header->e_phoff);
  for (uint64_t i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == PT_TLS && segments[i].p_memsz != 0)
      return true;
  return false;
}

} // namespace

uint64_t frontGuard(uint64_t thread) {
  uint64_t end = reinterpret_cast<uint64_t>(__culprit_front_gap) + kThreadGap - self() + thread;
  return (end & ~(kPage - 1)) - kPage;
}

bool isThreadGuard(uint64_t where) {
  uint64_t page = where & ~(kPage - 1);
  return page == frontGuard(self()) || page == backGuard();
}

bool hasProgramThreadLocals() {
  if (reinterpret_cast<uint64_t>(__culprit_front_gap) + kThreadGap !=
      reinterpret_cast<uint64_t>(t_gap))
    return true;
  for (uint64_t i = 0; i < imageCount(); ++i)
    if (imageNumber(i).index != 0 && imageNumber(i).base && hasThreadLocals(imageNumber(i)))
      return true;
  return false;
}

void guardThreadLocals() {
  guard(frontGuard(self()));
  guard(backGuard());
}

} // namespace culprit
