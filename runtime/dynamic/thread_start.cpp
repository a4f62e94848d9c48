// Threads get a number and a signal stack (../thread_state.h) before their first function runs.
#include "runtime/dynamic/next.h"
#include "runtime/hooks.h"
#include "runtime/thread_state.h"

#include <pthread.h>

namespace culprit {

CULPRIT_EXPORT __attribute__((weak)) int pthread_create(pthread_t *thread,
                                                        const pthread_attr_t *attributes,
                                                        void *(*function)(void *), void *argument) {
  static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  NewThread *made = makeThread(function, argument);
  if (!made)
    return nextFunction(next, "pthread_create")(thread, attributes, function, argument);
  int error = nextFunction(next, "pthread_create")(thread, attributes, runThread, made);
  if (error != 0)
    forgetThread(made);
  return error;
}

} // namespace culprit
