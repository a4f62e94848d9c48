// See observe.h. Before a call, the memory that it can reach is copied to a mapping of its own;
// afterwards it is compared. A call that is left by a jump or an exception is not compared; its
// copy goes when a call further out returns.
#include "runtime/observe.h"

#include "abi/observed.h"
#include "runtime/heap.h"
#include "runtime/hooks.h"
#include "runtime/host_memory.h"
#include "runtime/images.h"
#include "runtime/reachable.h"
#include "runtime/safe_read.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

extern "C" __attribute__((weak)) int dladdr(const void *place, Dl_info *info);

namespace culprit {
namespace {

struct Note {
  Note *outer;
  uint64_t size; ///< of the mapping
  abi::ObservedEntry *entry;
  uint64_t frame; ///< of the function that calls
  Reachable memory;
};

abi::ObservedRecord *g_record;
__thread Note *g_innermost;

void copyText(char *to, uint64_t room, const char *from) {
  uint64_t length = from ? strnlen(from, room - 1) : 0;
  if (length != 0)
    memcpy(to, from, length);
  to[length] = 0;
}

const char *nameOf(const abi::ObservedCall &call, const void *callee) {
  Dl_info info;
  if (call.function || !dladdr || dladdr(callee, &info) == 0)
    return call.function;
  return info.dli_sname;
}

/// The entry for a place and a function; the first call makes it.
abi::ObservedEntry *entryFor(const abi::ObservedCall &call, const void *callee) {
  static uint32_t lock;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0) {
  }
  abi::ObservedEntry *entry = nullptr;
  for (uint64_t i = 0; i < g_record->count && !entry; ++i)
    if (g_record->entries[i].call == reinterpret_cast<uint64_t>(&call) &&
        g_record->entries[i].callee == reinterpret_cast<uint64_t>(callee))
      entry = &g_record->entries[i];
  if (!entry && g_record->count == abi::kMostObserved) {
    ++g_record->lost;
  } else if (!entry) {
    entry = &g_record->entries[g_record->count];
    entry->call = reinterpret_cast<uint64_t>(&call);
    entry->callee = reinterpret_cast<uint64_t>(callee);
    entry->line = call.line;
    entry->column = call.column;
    copyText(entry->function, abi::kLongestFunction, nameOf(call, callee));
    copyText(entry->file, abi::kLongestFile, call.file);
    ++g_record->count;
  }
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  return entry;
}

void drop(Note *note) {
  g_innermost = note->outer;
  rawSyscall(SYS_munmap, address(note), static_cast<long>(note->size));
}

void *map(uint64_t size) {
  long made = rawSyscall(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return made < 0 && made > -4096 ? nullptr : reinterpret_cast<void *>(made);
}

void copyReachable(const Reachable &memory, char *to) {
  for (uint64_t i = 0; i < memory.count(); ++i) {
    uint64_t size = memory[i].end - memory[i].begin;
    memcpy(to, reinterpret_cast<const void *>(memory[i].begin), size);
    to += size;
  }
}

void noteFirst(uint64_t changed, abi::ObservedEntry &entry) {
  entry.firstChange = changed;
  describeBlock(changed, entry.block);
  findFrame(changed, entry.frame);
}

void compareRange(const MemoryRange &range, const char *before, abi::ObservedEntry &entry) {
  constexpr uint64_t kPage = 4096;
  uint64_t readable = 0;
  for (uint64_t at = range.begin; at < range.end; ++at) {
    if (at >= readable) {
      if (!isReadable(at & ~uint64_t{7}))
        return;
      readable = (at & ~(kPage - 1)) + kPage;
    }
    if (*reinterpret_cast<const char *>(at) == before[at - range.begin])
      continue;
    if (__atomic_fetch_add(&entry.changes, 1, __ATOMIC_RELAXED) == 0)
      noteFirst(at, entry);
  }
}

} // namespace

void startObserving(const char *file) {
  g_record = mapHostRecord<abi::ObservedRecord>(file);
}

void *__culprit_before_unknown(void *description, void *callee, void *pointers, uint64_t count) {
  auto *call = static_cast<const abi::ObservedCall *>(description);
  // Through a pointer the program mostly calls functions of its own.
  if (!g_record || (!call->function && isInImage(callee)))
    return nullptr;
  auto frame = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  while (g_innermost && g_innermost->frame <= frame)
    drop(g_innermost);
  abi::ObservedEntry *entry = entryFor(*call, callee);
  if (!entry)
    return nullptr;
  __atomic_fetch_add(&entry->calls, 1, __ATOMIC_RELAXED);
  Reachable memory;
  g_record->isWhole ? memory.takeAll()
                    : memory.follow(static_cast<const uint64_t *>(pointers), count);
  entry->isPartial |= static_cast<uint32_t>(memory.isPartial());
  uint64_t size = sizeof(Note) + memory.bytes();
  auto *note = static_cast<Note *>(map(size));
  if (!note) {
    entry->isPartial = 1;
    return nullptr;
  }
  *note = {g_innermost, size, entry, frame, memory};
  copyReachable(memory, reinterpret_cast<char *>(note + 1));
  return g_innermost = note;
}

void __culprit_after_unknown(void *what) {
  auto *note = static_cast<Note *>(what);
  if (!note)
    return;
  while (g_innermost != note)
    drop(g_innermost);
  const char *before = reinterpret_cast<const char *>(note + 1);
  for (uint64_t i = 0; i < note->memory.count(); ++i) {
    compareRange(note->memory[i], before, *note->entry);
    before += note->memory[i].end - note->memory[i].begin;
  }
  drop(note);
}

} // namespace culprit
