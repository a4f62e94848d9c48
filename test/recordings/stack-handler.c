// Runs out of stack, and goes on by a jump out of a handler on a stack of its own, as often as it likes.
#define _GNU_SOURCE
#define _FORTIFY_SOURCE 2
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf back;
static int was_there;

static void handler(int number) {
  stack_t now;
  sigaltstack(0, &now);
  was_there += (now.ss_flags & SS_ONSTACK) != 0;
  siglongjmp(back, 1);
}

static int deep(volatile int level) {
  volatile char some[1000];
  some[level % 1000] = (char)level;
  return deep(level + 1) + some[5];
}

int main(void) {
  stack_t stack = {malloc(1 << 16), 0, 1 << 16};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, 0);
  for (volatile int i = 0; i < 3; ++i)
    if (sigsetjmp(back, 1) == 0)
      deep(i);
  sigaltstack(0, &stack);
  printf("%d times, now %d\n", was_there, stack.ss_flags);
  return 5;
}
