// A timer interrupts a busy loop; how far it came depends on time alone.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static volatile unsigned long count;
static unsigned long seen[10];

static void onAlarm(int signal) {
  if (ticks < 10)
    seen[ticks] = count;
  ticks++;
}

int main(void) {
  struct itimerval timer = {{0, 2000}, {0, 2000}};
  signal(SIGALRM, onAlarm);
  setitimer(ITIMER_REAL, &timer, 0);
  while (ticks < 10)
    count++;
  for (int i = 0; i < 10; i++)
    printf("%lu\n", seen[i]);
  return 0;
}
