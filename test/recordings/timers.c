// Descriptors that tell of time, signals and events; POSIX timers.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t rung;
static void onTimer(int signal, siginfo_t *info, void *context) { rung += info->si_value.sival_int; }
int main(void) {
  uint64_t value = 5;
  int events = eventfd(3, 0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
  write(events, &value, 8);
  read(events, &value, 8);
  printf("events %d\n", (int)value);
  struct itimerspec spec = {{0, 0}, {0, 5000000}};
  timerfd_settime(timer, 0, &spec, 0);
  read(timer, &value, 8);
  printf("timer %d\n", (int)value);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  int signals = signalfd(-1, &set, 0);
  kill(getpid(), SIGUSR1);
  struct signalfd_siginfo info;
  read(signals, &info, sizeof info);
  printf("signal %d from %d\n", info.ssi_signo, info.ssi_pid == getpid());
  struct sigaction action = {0};
  action.sa_sigaction = onTimer;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGRTMIN, &action, 0);
  struct sigevent event = {0};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  event.sigev_value.sival_int = 42;
  timer_t id;
  timer_create(CLOCK_REALTIME, &event, &id);
  timer_settime(id, 0, &spec, 0);
  while (!rung) pause();
  printf("rung %d\n", (int)rung);
  return 0;
}
