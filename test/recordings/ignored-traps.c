// Ignores the signals of faults, and gets others: in loops, around calls, and one that it ignores.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t rung;
static void onAlarm(int signal) { rung++; }

int main(void) {
  struct itimerval often = {{0, 2000}, {0, 2000}};
  unsigned long sum = 0;
  signal(SIGILL, SIG_IGN);
  signal(SIGSEGV, SIG_IGN);
  signal(SIGALRM, onAlarm);
  setitimer(ITIMER_REAL, &often, 0);
  while (rung < 20)
    sum = sum * 31 + (unsigned long)rung + (unsigned long)getppid();
  for (volatile unsigned i = 0; rung < 40; i++)
    sum += i;
  kill(getpid(), SIGSEGV);
  printf("%lx\n", sum);
  return signal(SIGILL, SIG_DFL) == SIG_IGN ? 3 : 4;
}
