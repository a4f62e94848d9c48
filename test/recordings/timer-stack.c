// Timers interrupt it, with the frames of their signals on a stack in the heap.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile unsigned long ticks;

static void on_timer(int signal) {
  ticks += signal > 0;
}

int main(void) {
  enum { Size = 65536 };
  stack_t stack = {calloc(1, Size), 0, Size};
  sigaltstack(&stack, 0);
  struct sigaction action = {0};
  action.sa_handler = on_timer;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGALRM, &action, 0);
  sigaction(SIGPROF, &action, 0);
  struct itimerval timer = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &timer, 0);
  setitimer(ITIMER_PROF, &timer, 0);
  unsigned sum = 1;
  char text[100];
  while (ticks < 60) {
    for (int i = 0; i < 1000; i++)
      sum = sum * 1664525 + 1013904223;
    for (int i = 0; i < 50; i++)
      snprintf(text, sizeof text, "%u %f", sum >> i % 8, i / 3.0);
  }
  printf("%s\n", text);
  return 0;
}
