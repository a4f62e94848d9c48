// Signals that the program sends itself come at once, on its own alternate stack too.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int order[8], next;
static char *stack;
static int onStack;

static void handler(int signal, siginfo_t *info, void *context) {
  char here;
  onStack = &here > stack && &here < stack + 65536;
  order[next++] = signal;
  if (signal == SIGUSR1)
    raise(SIGUSR2);
}

int main(void) {
  struct sigaction action;
  stack_t own;
  memset(&action, 0, sizeof action);
  stack = malloc(65536);
  own.ss_sp = stack;
  own.ss_size = 65536;
  own.ss_flags = 0;
  sigaltstack(&own, 0);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGUSR2, &action, 0);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR2);
  printf("%d %d %d of %d, on its stack: %d\n", order[0], order[1], order[2], next, onStack);
  return 0;
}
