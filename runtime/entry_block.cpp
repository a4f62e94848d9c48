// See entry_block.h.
#include "runtime/entry_block.h"

#include "abi/contract.h"
#include "abi/memory_map.h"
#include "runtime/entry_segments.h"
#include "runtime/system.h"
#include "runtime/thread_slots.h"

#include <linux/prctl.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kStep = 64 << 10;
constexpr uint64_t kSkip = 16; ///< libc takes the stack to end with the page of the stack pointer
constexpr uint64_t kRandomSize = 16;

uint64_t sizeOf(const char *text) {
  uint64_t size = 0;
  while (text[size++])
    ;
  return size;
}

char *pointer(uint64_t value) {
  return reinterpret_cast<char *>(value); // NOLINT(performance-no-int-to-ptr)
}

bool isHostWord(const char *text) {
  const char *name = abi::kStartVariable;
  while (*name && *text == *name)
    ++text, ++name;
  return !*name && *text == '=';
}

uint64_t copyText(const char *from, char *&to) {
  auto place = reinterpret_cast<uint64_t>(to);
  while ((*to++ = *from++))
    ;
  return place;
}

bool isText(uint64_t type) {
  return type == AT_EXECFN || type == AT_PLATFORM || type == AT_BASE_PLATFORM;
}

} // namespace

EntryBlock::EntryBlock(uint64_t *stack)
    : words_(stack), arguments_(reinterpret_cast<char **>(stack + 1)), argumentCount_(stack[0]) {
  environment_ = arguments_ + argumentCount_ + 1;
  while (environment_[environmentCount_])
    ++environmentCount_;
  auxiliaries_ = reinterpret_cast<Elf64_auxv_t *>(environment_ + environmentCount_ + 1);
  while (auxiliaries_[auxiliaryCount_].a_type != AT_NULL)
    ++auxiliaryCount_;
}

uint64_t EntryBlock::vectorSize() const {
  return (1 + argumentCount_ + 1 + environmentCount_ + 1) * sizeof(uint64_t) + auxiliarySize();
}

uint64_t EntryBlock::stringSize() const {
  uint64_t size = 0;
  for (uint64_t i = 0; i < argumentCount_; ++i)
    size += sizeOf(arguments_[i]);
  for (uint64_t i = 0; i < environmentCount_; ++i)
    size += isHostWord(environment_[i]) ? 0 : sizeOf(environment_[i]);
  for (uint64_t i = 0; i < auxiliaryCount_; ++i)
    if (isText(auxiliaries_[i].a_type))
      size += sizeOf(pointer(auxiliaries_[i].a_un.a_val));
  return size + kRandomSize;
}

uint64_t EntryBlock::room() const {
  return (kSkip + vectorSize() + stringSize() + kStep - 1) & ~(kStep - 1);
}

const char *EntryBlock::hostWords() const {
  for (uint64_t i = 0; i < environmentCount_; ++i)
    if (isHostWord(environment_[i]))
      return environment_[i] + sizeof abi::kStartVariable;
  return nullptr;
}

uint64_t EntryBlock::auxiliary(uint64_t type) const {
  for (uint64_t i = 0; i < auxiliaryCount_; ++i)
    if (auxiliaries_[i].a_type == type)
      return auxiliaries_[i].a_un.a_val;
  return 0;
}

void EntryBlock::setAuxiliary(uint64_t type, uint64_t value) {
  for (uint64_t i = 0; i < auxiliaryCount_; ++i)
    if (auxiliaries_[i].a_type == type)
      auxiliaries_[i].a_un.a_val = value;
}

void EntryBlock::moveStrings(char **list, char *&to) {
  for (; *list; ++list)
    if (!isHostWord(*list))
      *list = pointer(copyText(*list, to));
}

/// The bytes of AT_RANDOM, of which libc makes the canaries that lie on stacks, become the same in
/// every run: a function that reads too far must read the same there, too.
void EntryBlock::movePointedTo(char *&to) {
  for (uint64_t i = 0; i < auxiliaryCount_; ++i) {
    uint64_t &value = auxiliaries_[i].a_un.a_val;
    if (isText(auxiliaries_[i].a_type))
      value = copyText(pointer(value), to);
  }
  setAuxiliary(AT_RANDOM, reinterpret_cast<uint64_t>(to));
  for (uint64_t i = 0; i < kRandomSize; ++i)
    *to++ = static_cast<char>(0x5b + 37 * i);
}

void EntryBlock::moveTo(uint64_t end) {
  auto *to = reinterpret_cast<uint64_t *>(pointer(end - room() + kSkip));
  uint64_t size = vectorSize();
  for (uint64_t i = 0; i < size / sizeof *to; ++i)
    to[i] = words_[i];
  *this = EntryBlock(to);
  char *text = pointer(stack() + size);
  argumentsBegin_ = reinterpret_cast<uint64_t>(text);
  moveStrings(arguments_, text);
  environmentBegin_ = reinterpret_cast<uint64_t>(text);
  moveStrings(environment_, text);
  environmentEnd_ = reinterpret_cast<uint64_t>(text);
  movePointedTo(text);
}

void tellKernel(const EntryBlock &block) {
  struct prctl_mm_map map;
  map.start_code = map.start_data = map.end_code = map.end_data = 0;
  forEachSegment(block, [&](const Elf64_Phdr &segment) {
    if (segment.p_type != PT_LOAD)
      return;
    uint64_t end = segment.p_vaddr + segment.p_filesz;
    if ((segment.p_flags & PF_X) != 0 && map.end_code < end) {
      map.start_code = segment.p_vaddr;
      map.end_code = end;
    }
    map.start_data = map.start_data < segment.p_vaddr ? segment.p_vaddr : map.start_data;
    map.end_data = map.end_data < end ? end : map.end_data;
  });
  map.start_brk = map.brk = abi::kBreakBase;
  map.start_stack = block.stack();
  map.arg_start = block.argumentsBegin();
  map.arg_end = map.env_start = block.environmentBegin();
  map.env_end = block.environmentEnd();
  map.auxv = reinterpret_cast<__u64 *>(const_cast<Elf64_auxv_t *>(block.auxiliaries()));
  map.auxv_size = static_cast<uint32_t>(block.auxiliarySize());
  map.exe_fd = ~0U;
  rawSyscall(SYS_prctl, PR_SET_MM, PR_SET_MM_MAP, address(&map), sizeof map);
}

void allowExecution(const EntryBlock &block) {
  forEachSegment(block, [](const Elf64_Phdr &segment) {
    if (segment.p_type == PT_GNU_STACK && (segment.p_flags & PF_X) != 0)
      makeSlotsExecutable();
  });
}

} // namespace culprit
