// See ../thread_calls.h.
#include "runtime/thread_calls.h"

#include "runtime/dynamic/next.h"

const culprit::ThreadCalls *__culprit_next_thread_calls() {
  static culprit::ThreadCalls calls;
  culprit::nextFunction(calls.create, "pthread_create");
  culprit::nextFunction(calls.join, "pthread_join");
  culprit::nextFunction(calls.tryJoin, "pthread_tryjoin_np");
  culprit::nextFunction(calls.timedJoin, "pthread_timedjoin_np");
  culprit::nextFunction(calls.clockJoin, "pthread_clockjoin_np");
  culprit::nextFunction(calls.detach, "pthread_detach");
  culprit::nextFunction(calls.attributes, "pthread_getattr_np");
  culprit::nextFunction(calls.kill, "pthread_kill");
  return &calls;
}
