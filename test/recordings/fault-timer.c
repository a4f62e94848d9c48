// Ends in the handler of a fault, on an alternate stack in the heap, while a timer goes off there.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { Size = 65536 };
static volatile int ticks;

static void tick(int signal) { ticks += signal != 0; }

static void fault(int signal) {
  fprintf(stderr, "fault %d\n", signal);
  for (volatile int i = 0; i < 2000000; ++i)
    ;
  _exit(3);
}

int main(void) {
  stack_t stack = {.ss_sp = calloc(1, Size), .ss_size = Size};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_handler = fault, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, 0);
  signal(SIGALRM, tick);
  struct itimerval interval = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &interval, 0);
  printf("hello\n");
  *(volatile int *)0 = 1;
  return 0;
}
