// Sleeps, is woken by a timer, and sleeps on for what is left.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
static volatile sig_atomic_t woken;
static void onAlarm(int signal) { woken++; }
int main(void) {
  struct itimerval timer = {{0, 0}, {0, 10000}};
  struct timespec wanted = {0, 30000000}, left = {0, 0};
  signal(SIGALRM, onAlarm);
  setitimer(ITIMER_REAL, &timer, 0);
  int result = nanosleep(&wanted, &left);
  printf("%d %d %ld\n", result, result < 0 && errno == EINTR, left.tv_nsec);
  nanosleep(&left, 0);
  printf("%d\n", (int)woken);
  return 0;
}
