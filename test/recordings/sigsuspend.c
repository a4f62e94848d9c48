// Waits for a blocked signal to be let in, and for one by sigwait.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t got;
static void handler(int signal) { got = signal; }

int main(void) {
  sigset_t blocked, none;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGALRM, &action, 0);
  sigemptyset(&none);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, 0);
  alarm(1);
  int result = sigsuspend(&none);
  printf("%d %d %d\n", result, errno == EINTR, (int)got);
  raise(SIGUSR1);
  int signal = 0;
  sigwait(&blocked, &signal);
  printf("waited for %d\n", signal);
  raise(SIGALRM);
  got = 0;
  sigprocmask(SIG_UNBLOCK, &blocked, 0);
  printf("let in: %d\n", (int)got);
  return 0;
}
