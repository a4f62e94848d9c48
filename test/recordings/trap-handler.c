// The handler of a trap says a lot, and computes while a timer goes off; then the program does so.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile unsigned ticks, traps;

static void on_timer(int signal) {
  ticks += signal > 0;
}

static void on_trap(int signal) {
  char line[40];
  for (int i = 0; i < 30; i++) {
    int size = snprintf(line, sizeof line, "signal %d, line %d\n", signal, i);
    if (write(2, line, (size_t)size) != size)
      _exit(1);
  }
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 3000000; i++)
    sum += i;
  traps++;
  siglongjmp(back, 1);
}

int main(void) {
  signal(SIGALRM, on_timer);
  signal(SIGILL, on_trap);
  struct itimerval timer = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &timer, 0);
  sigsetjmp(back, 1);
  if (traps < 3)
    __builtin_trap();
  volatile unsigned long rounds = 0;
  for (unsigned last = ticks + 20; ticks < last;)
    rounds++;
  printf("%u traps, %s\n", traps, ticks > 0 ? "interrupted" : "not interrupted");
  return 7;
}
