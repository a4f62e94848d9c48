// libc's own functions about threads, which those of thread_calls.cpp stand in front of.
//
// A program that is linked dynamically finds them through the dynamic loader
// (dynamic/thread_calls.cpp); a static one under the names that libc uses itself, which the
// relinker asks for (abi::kStaticLibcNames).
#ifndef CULPRIT_RUNTIME_THREAD_CALLS_H
#define CULPRIT_RUNTIME_THREAD_CALLS_H

#include <pthread.h>
#include <time.h>

namespace culprit {

struct ThreadCalls {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  int (*join)(pthread_t, void **);
  int (*tryJoin)(pthread_t, void **);
  int (*timedJoin)(pthread_t, void **, const timespec *);
  int (*clockJoin)(pthread_t, void **, clockid_t, const timespec *);
  int (*detach)(pthread_t);
  int (*attributes)(pthread_t, pthread_attr_t *);
  int (*kill)(pthread_t, int);
};

} // namespace culprit

extern "C" __attribute__((visibility("hidden"), weak)) const culprit::ThreadCalls *
__culprit_next_thread_calls(); // NOLINT(bugprone-reserved-identifier)

#endif
