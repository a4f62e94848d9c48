// See entry_loader.h.
#include "runtime/entry_loader.h"

#include "abi/contract.h"
#include "abi/memory_map.h"
#include "runtime/entry_segments.h"
#include "runtime/recording.h"
#include "runtime/system.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;

uint64_t pageDown(uint64_t value) {
  return value & ~(kPage - 1);
}

uint64_t pageUp(uint64_t value) {
  return pageDown(value + kPage - 1);
}

void say(const char *text) {
  long size = 0;
  while (text[size])
    ++size;
  rawSyscall(SYS_write, 2, address(text), size);
}

[[noreturn]] void giveUp(const char *path) {
  say("culprit: error: cannot load the program's dynamic loader '");
  say(path);
  say("'\n");
  rawSyscall(SYS_exit_group, 125);
  __builtin_unreachable();
}

bool mapAt(uint64_t place, uint64_t size, int protection, int flags, long file, uint64_t offset) {
  return size == 0 || rawSyscall(SYS_mmap, static_cast<long>(place), static_cast<long>(size),
                                 protection, MAP_PRIVATE | MAP_FIXED_NOREPLACE | flags, file,
                                 static_cast<long>(offset)) == static_cast<long>(place);
}

int protectionOf(const Elf64_Phdr &segment) {
  auto has = [&](uint32_t flag, int protection) {
    return (segment.p_flags & flag) != 0 ? protection : 0;
  };
  return has(PF_R, PROT_READ) | has(PF_W, PROT_WRITE) | has(PF_X, PROT_EXEC);
}

bool mapSegment(const Elf64_Phdr &segment, long file) {
  int protection = protectionOf(segment);
  uint64_t begin = abi::kLoaderBase + segment.p_vaddr;
  uint64_t fileEnd = begin + segment.p_filesz;
  uint64_t end = begin + segment.p_memsz;
  if (!mapAt(pageDown(begin), pageUp(fileEnd) - pageDown(begin), protection, 0, file,
             pageDown(segment.p_offset)))
    return false;
  // What is behind the file's part is zero.
  if (end > fileEnd)
    for (uint64_t place = fileEnd; place < pageUp(fileEnd); ++place)
      *reinterpret_cast<volatile char *>(place) = 0; // NOLINT(performance-no-int-to-ptr)
  return end <= pageUp(fileEnd) ||
         mapAt(pageUp(fileEnd), pageUp(end) - pageUp(fileEnd), protection, MAP_ANONYMOUS, -1, 0);
}

/// Returns the entry, or 0.
uint64_t mapFile(const char *path) {
  long file = rawSyscall(SYS_open, address(path), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  constexpr uint64_t kMostSegments = 32;
  Elf64_Ehdr header = {};
  Elf64_Phdr segments[kMostSegments];
  bool isGood =
      rawSyscall(SYS_pread64, file, address(&header), sizeof header, 0) == sizeof header &&
      header.e_type == ET_DYN && header.e_phnum <= kMostSegments;
  long size = isGood ? static_cast<long>(header.e_phnum * sizeof *segments) : 0;
  isGood = isGood && rawSyscall(SYS_pread64, file, address(segments), size,
                                static_cast<long>(header.e_phoff)) == size;
  for (uint64_t i = 0; isGood && i < header.e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD)
      isGood = mapSegment(segments[i], file);
  rawSyscall(SYS_close, file);
  return isGood ? abi::kLoaderBase + header.e_entry : 0;
}

const Elf64_Phdr *findHeader(const EntryBlock &block, uint32_t type) {
  const Elf64_Phdr *header = nullptr;
  forEachSegment(block, [&](const Elf64_Phdr &segment) {
    if (segment.p_type == type)
      header = &segment;
  });
  return header;
}

/// The loader finds its own name through the program header, which is one again in memory.
bool restoreHeader(const EntryBlock &block, const Elf64_Phdr &header) {
  auto place = reinterpret_cast<uint64_t>(&header);
  int protection = PROT_READ;
  forEachSegment(block, [&](const Elf64_Phdr &segment) {
    if (segment.p_type == PT_LOAD && place - segment.p_vaddr < segment.p_memsz)
      protection = protectionOf(segment);
  });
  auto page = static_cast<long>(pageDown(place));
  auto size = static_cast<long>(pageUp(place + sizeof header) - pageDown(place));
  if (rawSyscall(SYS_mprotect, page, size, PROT_READ | PROT_WRITE) != 0)
    return false;
  const_cast<Elf64_Phdr &>(header).p_type = PT_INTERP;
  return rawSyscall(SYS_mprotect, page, size, protection) == 0;
}

} // namespace

const char *loaderPath(const EntryBlock &block) {
  const Elf64_Phdr *header = findHeader(block, PT_INTERP);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return header ? reinterpret_cast<const char *>(header->p_vaddr) : nullptr;
}

uint64_t mapLoader(EntryBlock &block) {
  const Elf64_Phdr *header = findHeader(block, abi::kLoaderSegment);
  if (!header)
    return 0;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto *path = reinterpret_cast<const char *>(header->p_vaddr);
  if (__culprit_recorded_loader)
    path = __culprit_recorded_loader(&block, path);
  uint64_t entry = restoreHeader(block, *header) ? mapFile(path) : 0;
  if (entry == 0)
    giveUp(path);
  block.setAuxiliary(AT_BASE, abi::kLoaderBase);
  return entry;
}

} // namespace culprit
