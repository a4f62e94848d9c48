// A read that a handler interrupts goes on by itself (SA_RESTART).
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static int ends[2];
static volatile sig_atomic_t rung;
static void onAlarm(int signal) { rung++; write(ends[1], "late", 4); }
int main(void) {
  char text[8] = {0};
  pipe(ends);
  signal(SIGALRM, onAlarm);
  ualarm(20000, 0);
  long got = read(ends[0], text, sizeof text);
  printf("%ld %s %d\n", got, text, (int)rung);
  return 0;
}
