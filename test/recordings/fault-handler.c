// Survives its own faults: a handler jumps out of them.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf place;
static void handler(int signal) { siglongjmp(place, signal); }

int main(void) {
  struct sigaction action;
  stack_t own;
  memset(&action, 0, sizeof action);
  own.ss_sp = malloc(65536);
  own.ss_size = 65536;
  own.ss_flags = 0;
  sigaltstack(&own, 0);
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, 0);
  sigaction(SIGFPE, &action, 0);
  int count = 0;
  for (volatile int i = 0; i < 3; i++)
    if (sigsetjmp(place, 1) == 0)
      *(volatile int *)(long)(16 * i) = 1;
    else
      count++;
  volatile int zero = 0;
  int signal = sigsetjmp(place, 1);
  if (signal == 0)
    count /= zero;
  printf("%d faults, then %d, pid %d\n", count, signal, (int)getpid());
  return 0;
}
