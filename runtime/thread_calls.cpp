// pthread_create and its kin: a thread's machine stack is in its slot (thread_slots.h), and with it
// the thread's own variables and control block, which libc keeps at the end of a stack.
//
// libc is handed the stack as one that the program provides, of the size that it would have made
// and what an analysis build has more of thread-locals. A stack that the program itself provides is
// only told of: locals are in frames anyway, and thread-locals there would lie between variables of
// the program's. It is used, as libc's own is, where the slot has no room.
#include "runtime/thread_calls.h"

#include "runtime/hooks.h"
#include "runtime/stack_view.h"
#include "runtime/system.h"
#include "runtime/thread_gap.h"
#include "runtime/thread_slots.h"
#include "runtime/thread_state.h"

#include <errno.h>
#include <threads.h>

// The names that libc has for them itself: see thread_calls.h.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
__attribute__((weak)) int __pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                                           void *);
__attribute__((weak)) int __pthread_join(pthread_t, void **);
__attribute__((weak)) int __pthread_tryjoin_np(pthread_t, void **);
__attribute__((weak)) int ___pthread_timedjoin_np(pthread_t, void **, const timespec *);
__attribute__((weak)) int ___pthread_clockjoin_np(pthread_t, void **, clockid_t, const timespec *);
__attribute__((weak)) int __pthread_detach(pthread_t);
__attribute__((weak)) int __pthread_getattr_np(pthread_t, pthread_attr_t *);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {
namespace {

const ThreadCalls &libc() {
  static const ThreadCalls own = {__pthread_create,        __pthread_join,
                                  __pthread_tryjoin_np,    ___pthread_timedjoin_np,
                                  ___pthread_clockjoin_np, __pthread_detach,
                                  __pthread_getattr_np,    nullptr}; // own_signals.cpp has the last
  return &__culprit_next_thread_calls ? *__culprit_next_thread_calls() : own;
}

/// The attributes of a thread to be.
class Attributes {
public:
  explicit Attributes(const pthread_attr_t *given) : isDefault_(given == nullptr) {
    if (given)
      value_ = *given; // libc does not keep what it points to
    else
      pthread_getattr_default_np(&value_);
  }
  ~Attributes() {
    if (isDefault_)
      pthread_attr_destroy(&value_);
  }
  Attributes(const Attributes &) = delete;
  Attributes &operator=(const Attributes &) = delete;

  const pthread_attr_t *get() const { return &value_; }

  bool isDetached() const {
    int state = PTHREAD_CREATE_JOINABLE;
    pthread_attr_getdetachstate(&value_, &state);
    return state == PTHREAD_CREATE_DETACHED;
  }

  /// Puts the stack at the end of a slot. False: there is no room for one of its size.
  bool useStackOf(uint64_t slot) {
    void *given = nullptr;
    size_t givenSize = 0;
    size_t wanted = 0;
    pthread_attr_getstack(&value_, &given, &givenSize);
    pthread_attr_getstacksize(&value_, &wanted);             // the default where none was given
    size_t size = (wanted & ~size_t{63}) + kOwnThreadLocals; // so does libc
    uint64_t mapped = (size + 4095) & ~uint64_t{4095};
    if (size > abi::kMostMachineStack || !mapMachineStack(slot, mapped))
      return false;
    // libc knows a stack by its end, which is null when the program has provided none.
    bool isGiven = reinterpret_cast<uint64_t>(given) + givenSize != 0;
    memoryOf(slot).given = isGiven ? GivenStack{given, givenSize} : GivenStack{};
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    auto *lowest = reinterpret_cast<void *>(machineStackEnd(slot) - size);
    return pthread_attr_setstack(&value_, lowest, size) == 0;
  }

private:
  pthread_attr_t value_ = {};
  bool isDefault_;
};

int create(pthread_t *thread, const pthread_attr_t *given, void *(*function)(void *),
           void *argument) {
  Attributes attributes(given);
  NewThread *made = makeThread(function, argument, attributes.isDetached());
  if (!made)
    return libc().create(thread, given, function, argument);
  bool isInSlot = attributes.useStackOf(made->slot);
  if (!isInSlot) // only of a stack in the slot is libc to be asked whether the slot is free again
    detachSlot(made->slot);
  int error = libc().create(thread, isInSlot ? attributes.get() : given, runThread, made);
  if (error != 0)
    forgetThread(made);
  return error;
}

/// The slot of a thread that libc keeps on the stack there, or kNoSlot.
uint64_t slotOf(pthread_t thread) {
  return slotOfMachineStack(static_cast<uint64_t>(thread));
}

int joined(pthread_t thread, int error) {
  if (error == 0 && slotOf(thread) != kNoSlot)
    leaveSlot(slotOf(thread));
  return error;
}

/// What the program is to know of a stack in a slot: the one that it has provided, or what libc
/// says, less what the program did not ask for: it ends before the thread-locals, in which there
/// are pages that nobody may look at.
void tellStack(pthread_t thread, pthread_attr_t *attributes) {
  if (const GivenStack &given = memoryOf(slotOf(thread)).given; given.size != 0) {
    pthread_attr_setstack(attributes, given.lowest, given.size);
    return;
  }
  void *lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(attributes, &lowest, &size);
  auto begin = reinterpret_cast<uint64_t>(lowest);
  uint64_t end = frontGuard(thread);
  if (end - (size - kOwnThreadLocals) > begin)
    begin = end - (size - kOwnThreadLocals);
  pthread_attr_setstack(attributes, pointerTo<void>(begin), end - begin);
}

/// C11's threads return a number.
int asC11(int error) {
  if (error == 0)
    return thrd_success;
  return error == ENOMEM ? thrd_nomem : error == EBUSY ? thrd_busy : thrd_error;
}

} // namespace

CULPRIT_EXPORT __attribute__((weak)) int pthread_create(pthread_t *thread,
                                                        const pthread_attr_t *attributes,
                                                        void *(*function)(void *), void *argument) {
  return create(thread, attributes, function, argument);
}

CULPRIT_EXPORT __attribute__((weak)) int pthread_join(pthread_t thread, void **result) {
  return joined(thread, libc().join(thread, result));
}

CULPRIT_EXPORT __attribute__((weak)) int pthread_tryjoin_np(pthread_t thread,
                                                            void **result) noexcept {
  return joined(thread, libc().tryJoin(thread, result));
}

CULPRIT_EXPORT __attribute__((weak)) int pthread_timedjoin_np(pthread_t thread, void **result,
                                                              const timespec *limit) {
  return joined(thread, libc().timedJoin(thread, result, limit));
}

CULPRIT_EXPORT __attribute__((weak)) int
pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const timespec *limit) {
  return joined(thread, libc().clockJoin(thread, result, clock, limit));
}

CULPRIT_EXPORT __attribute__((weak)) int pthread_detach(pthread_t thread) noexcept {
  int error = libc().detach(thread);
  if (error == 0 && slotOf(thread) != kNoSlot)
    detachSlot(slotOf(thread));
  return error;
}

CULPRIT_EXPORT __attribute__((weak)) int pthread_getattr_np(pthread_t thread,
                                                            pthread_attr_t *attributes) noexcept {
  int error = libc().attributes(thread, attributes);
  if (error == 0 && slotOf(thread) != kNoSlot)
    tellStack(thread, attributes);
  void *lowest = nullptr;
  size_t size = 0;
  if (error == 0 && thread == pthread_self() &&
      pthread_attr_getstack(attributes, &lowest, &size) == 0)
    noteStackBegin(reinterpret_cast<uint64_t>(lowest));
  return error;
}

CULPRIT_EXPORT __attribute__((weak)) int thrd_create(thrd_t *thread, thrd_start_t function,
                                                     void *argument) {
  // What it returns is in the register that a pointer is returned in.
  auto *start = __builtin_bit_cast(void *(*)(void *), function);
  return asC11(create(thread, nullptr, start, argument));
}

CULPRIT_EXPORT __attribute__((weak)) int thrd_join(thrd_t thread, int *result) {
  void *value = nullptr;
  int error = pthread_join(thread, &value);
  if (result)
    *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return asC11(error);
}

CULPRIT_EXPORT __attribute__((weak)) int thrd_detach(thrd_t thread) {
  return asC11(pthread_detach(thread));
}

} // namespace culprit
