// A child computes, the parent reads its result from a pipe and waits for it.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], status;
  char text[64];
  pipe(ends);
  pid_t child = fork();
  if (child == 0) {
    int length = snprintf(text, sizeof text, "child %d of %d", (int)getpid(), (int)getppid());
    write(ends[1], text, length);
    _exit(7);
  }
  ssize_t got = read(ends[0], text, sizeof text - 1);
  text[got > 0 ? got : 0] = 0;
  waitpid(child, &status, 0);
  printf("%s; %d exited with %d\n", text, (int)child, WEXITSTATUS(status));
  return 0;
}
