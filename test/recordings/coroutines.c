// Switches between stacks of its own, in a signal handler's shadow.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static jmp_buf back;
static int depth;
static void dive(int n) { if (n == 0) longjmp(back, ++depth); dive(n - 1); }
static void onSignal(int signal) { if (!setjmp(back)) dive(10); }
int main(void) {
  signal(SIGUSR1, onSignal);
  for (int i = 0; i < 5; i++) kill(getpid(), SIGUSR1);
  printf("%d\n", depth);
  return 0;
}
