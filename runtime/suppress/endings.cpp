// See endings.h.
#include "runtime/suppress/endings.h"

#include "runtime/failure.h"
#include "runtime/frame_work.h"
#include "runtime/frames.h"
#include "runtime/heap.h"
#include "runtime/hooks.h"
#include "runtime/system.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

long g_process; ///< a child of fork() says nothing of what its parent has done

bool isOneOf(const char *name, const char *first, const char *second, const char *third) {
  return strcmp(name, first) == 0 || strcmp(name, second) == 0 || strcmp(name, third) == 0;
}

bool findBroken(bool isAtOnce, Finding &finding, abi::FailureWord &word, abi::FailureBlock &block) {
  abi::FailureFrame frames[abi::kMostFrames];
  uint32_t count =
      walkFrames(reinterpret_cast<uint64_t>(__culprit_frames), frames, abi::kMostFrames);
  finding.kind = abi::FailureKind::BrokenGuard;
  if (findBrokenGuard(frames, count, word))
    return true;
  if (!isAtOnce || !findBrokenWord(word, block))
    return false;
  if (heapGuard() == 0)
    finding.kind = abi::FailureKind::BrokenHeap;
  finding.blocks = &block;
  finding.blockCount = block.address != 0 ? 1 : 0;
  return true;
}

} // namespace

void startEndings() {
  g_process = rawSyscall(SYS_getpid);
}

void checkBeforeEnd(const char *name, const void *pc) {
  bool isAtOnce = isOneOf(name, "_exit", "_Exit", "quick_exit");
  if ((!isAtOnce && strcmp(name, "exit") != 0) || rawSyscall(SYS_getpid) != g_process)
    return;
  abi::FailureWord word = {};
  abi::FailureBlock block = {};
  Finding finding = {};
  if (!findBroken(isAtOnce, finding, word, block) || word.address == 0)
    return;
  finding.address = word.address;
  finding.pc = pc;
  finding.words = &word;
  finding.wordCount = 1;
  fail(finding, SIGABRT);
}

} // namespace culprit
