// Makes calls all the time while signals come; handlers look where, unwind, make calls, jump out.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static int ends[2];
static volatile sig_atomic_t rung, strange, jumps, deep;
static sigjmp_buf before;
static unsigned long sum;

static void onAlarm(int signal, siginfo_t *info, void *data) {
  const greg_t *registers = ((ucontext_t *)data)->uc_mcontext.gregs;
  Dl_info image;
  void *callers[32];
  unsigned long pc = (unsigned long)registers[REG_RIP];
  rung++;
  strange += dladdr((void *)pc, &image) == 0;
  deep += backtrace(callers, 32) > 3;
  sum = sum * 31 + pc + (unsigned long)registers[REG_RAX];
  for (int i = 0; i < 3; i++)
    sum += (unsigned long)write(ends[1], "h", 1);
  if (rung % 7 == 0) {
    jumps++;
    siglongjmp(before, 1);
  }
}

static void keepCalling(long rounds) {
  char bytes[64];
  for (volatile long i = 0; i < rounds; i++) {
    ssize_t wrote = write(ends[1], "abcdef", 6);
    ssize_t got = read(ends[0], bytes, sizeof bytes);
    if (wrote < 0 || got < 0)
      sum += (unsigned long)errno;
    else
      for (ssize_t j = 0; j < got; j++)
        sum = sum * 31 + (unsigned char)bytes[j];
  }
}

int main(void) {
  struct sigaction action;
  struct itimerval often = {{0, 900}, {0, 900}}, never = {{0, 0}, {0, 0}};
  memset(&action, 0, sizeof action);
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  action.sa_sigaction = onAlarm;
  sigaction(SIGALRM, &action, 0);
  pipe(ends);
  setitimer(ITIMER_REAL, &often, 0);
  sigsetjmp(before, 1);
  for (int i = 0; i < 20 && rung < 200; i++)
    keepCalling(1000);
  setitimer(ITIMER_REAL, &never, 0);
  printf("%s, %d strange, %d not deep, %d jumps, %lx\n", rung > 0 ? "rung" : "never rung",
         (int)strange, (int)(rung - deep), (int)jumps, sum);
  return 0;
}
