// Forks with memory to share: what the child writes there is not recorded.
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  int *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) { *shared = 77; _exit(0); }
  wait(0);
  printf("%d\n", *shared);
  return 0;
}
