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

/// Numbers of entries by hash, from 1.
using EntryTable = uint16_t[2 * abi::kMostObserved];

/// Where an entry is in a table, or where it would be. Of `call`, null stands for any.
uint16_t &placeIn(EntryTable &table, const abi::ObservedCall *call, const void *callee) {
  auto callWord = reinterpret_cast<uint64_t>(call);
  auto calleeWord = reinterpret_cast<uint64_t>(callee);
  constexpr uint64_t kSize = sizeof(EntryTable) / sizeof(uint16_t);
  constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;
  uint64_t hash = (callWord * 31 + calleeWord) * kSpread >> 32;
  for (;; ++hash) {
    uint16_t &number = table[hash % kSize];
    if (number == 0)
      return number;
    const abi::ObservedEntry &entry = g_record->entries[number - 1];
    if (entry.callee == calleeWord && (!call || entry.call == callWord))
      return number;
  }
}

abi::ObservedEntry *newEntry(const abi::ObservedCall &call, const void *callee) {
  abi::ObservedEntry &entry = g_record->entries[g_record->count];
  entry.call = reinterpret_cast<uint64_t>(&call);
  entry.callee = reinterpret_cast<uint64_t>(callee);
  entry.line = call.line;
  entry.column = call.column;
  copyText(entry.function, abi::kLongestFunction, nameOf(call, callee));
  copyText(entry.file, abi::kLongestFile, call.file);
  ++g_record->count;
  return &entry;
}

/// The entry for a place and a function; the first call makes it. Where there is no room for
/// another place, the function's.
abi::ObservedEntry *findEntry(const abi::ObservedCall &call, const void *callee) {
  static EntryTable places;
  static EntryTable functions;
  uint16_t &place = placeIn(places, &call, callee);
  if (place != 0)
    return &g_record->entries[place - 1];
  uint16_t &function = placeIn(functions, nullptr, callee);
  bool isKnown = function != 0;
  if (isKnown && g_record->count >= abi::kMostPlaces) {
    abi::ObservedEntry &entry = g_record->entries[function - 1];
    entry.hasOthers = 1;
    return &entry;
  }
  if (g_record->count == abi::kMostObserved) {
    ++g_record->lost;
    return nullptr;
  }
  abi::ObservedEntry *entry = newEntry(call, callee);
  place = static_cast<uint16_t>(g_record->count);
  if (!isKnown)
    function = place;
  return entry;
}

abi::ObservedEntry *entryFor(const abi::ObservedCall &call, const void *callee) {
  static uint32_t lock;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0) {
  }
  abi::ObservedEntry *entry = findEntry(call, callee);
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

/// Pages that are known to be there, while memory is compared: many ranges share one.
class ReadablePages {
public:
  bool has(uint64_t page) {
    uint64_t &place = pages_[page / kPage % kMost];
    if (place != page && isReadable(page))
      place = page;
    return place == page;
  }

  static constexpr uint64_t kPage = 4096;

private:
  static constexpr uint64_t kMost = 256;
  uint64_t pages_[kMost] = {};
};

void comparePart(const MemoryRange &range, const char *before, abi::ObservedEntry &entry) {
  uint64_t size = range.end - range.begin;
  if (memcmp(reinterpret_cast<const void *>(range.begin), before, size) == 0)
    return;
  for (uint64_t i = 0; i < size; ++i)
    if (reinterpret_cast<const char *>(range.begin)[i] != before[i] &&
        __atomic_fetch_add(&entry.changes, 1, __ATOMIC_RELAXED) == 0)
      noteFirst(range.begin + i, entry);
}

void compareRange(const MemoryRange &range, const char *before, ReadablePages &pages,
                  abi::ObservedEntry &entry) {
  for (uint64_t at = range.begin; at < range.end;) {
    uint64_t page = at & ~(ReadablePages::kPage - 1);
    if (!pages.has(page))
      return;
    uint64_t next = page + ReadablePages::kPage;
    uint64_t end = next < range.end ? next : range.end;
    comparePart({at, end}, before + (at - range.begin), entry);
    at = end;
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
  if (!entry || __atomic_fetch_add(&entry->calls, 1, __ATOMIC_RELAXED) >= abi::kMostCompared)
    return nullptr;
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
  ReadablePages pages;
  for (uint64_t i = 0; i < note->memory.count(); ++i) {
    compareRange(note->memory[i], before, pages, *note->entry);
    before += note->memory[i].end - note->memory[i].begin;
  }
  drop(note);
}

} // namespace culprit
