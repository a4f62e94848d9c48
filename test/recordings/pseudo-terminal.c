// Talks with a child through a pseudo terminal.
#include <pty.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int terminal;
  char name[64];
  pid_t child = forkpty(&terminal, name, 0, 0);
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "read line; echo got $line; exit 5", (char *)0);
    _exit(1);
  }
  write(terminal, "hello\n", 6);
  char text[200];
  for (ssize_t got; (got = read(terminal, text, sizeof text)) > 0;)
    fwrite(text, 1, (size_t)got, stdout);
  int status;
  waitpid(child, &status, 0);
  printf("%s: %d\n", name, WEXITSTATUS(status));
  return 0;
}
