// A timer of processor time interrupts a recursion without loops.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static volatile sig_atomic_t ticks;
static unsigned long calls, seen[5];
static void onTick(int signal) { if (ticks < 5) seen[ticks] = calls; ticks++; }
static int fib(int n) { calls++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
  struct itimerval timer = {{0, 4000}, {0, 4000}};
  signal(SIGVTALRM, onTick);
  setitimer(ITIMER_VIRTUAL, &timer, 0);
  int n = 5;
  while (ticks < 5) fib(n = n < 24 ? n + 1 : 5);
  for (int i = 0; i < 5; i++) printf("%lu\n", seen[i]);
  return 0;
}
