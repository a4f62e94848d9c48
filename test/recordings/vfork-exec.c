// A child in the parent's memory leaves its mark there, and then fails to become another program.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  volatile int mark = 0;
  int status = 0;
  pid_t child = vfork();
  if (child == 0) {
    mark = getpid();
    execl("/nonexistent/program", "program", (char *)0);
    _exit(9);
  }
  waitpid(child, &status, 0);
  printf("%d %d\n", mark == child, WEXITSTATUS(status));
  return 0;
}
