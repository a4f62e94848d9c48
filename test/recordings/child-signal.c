// Children end while the program computes; their signals are counted.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;
static volatile unsigned long at[3], count;

static void onChild(int signal) {
  while (waitpid(-1, 0, WNOHANG) > 0)
    if (ended < 3)
      at[ended++] = count;
}

int main(void) {
  signal(SIGCHLD, onChild);
  for (int i = 0; i < 3; i++)
    if (fork() == 0) {
      usleep(3000 * (i + 1));
      _exit(i);
    }
  while (ended < 3)
    count++;
  printf("%lu %lu %lu\n", at[0], at[1], at[2]);
  return 0;
}
