// An alarm interrupts a read; without SA_RESTART it fails with EINTR.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t rung;
static void onAlarm(int signal) { rung++; }

int main(void) {
  int ends[2];
  char byte;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = onAlarm;
  sigaction(SIGALRM, &action, 0);
  pipe(ends);
  alarm(1);
  ssize_t got = read(ends[0], &byte, 1);
  printf("%zd %d rung %d\n", got, got < 0 ? errno : 0, (int)rung);
  return rung;
}
