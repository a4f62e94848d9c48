// Starts programs by posix_spawn: one that is there, one that is not.
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
extern char **environ;
int main(void) {
  pid_t child = 0;
  int status = 0;
  char *words[] = {"sh", "-c", "exit 6", 0};
  int error = posix_spawnp(&child, "sh", 0, 0, words, environ);
  waitpid(child, &status, 0);
  printf("%d %d\n", error, WEXITSTATUS(status));
  error = posix_spawn(&child, "/nonexistent/program", 0, 0, words, environ);
  printf("%s\n", strerror(error));
  return 0;
}
