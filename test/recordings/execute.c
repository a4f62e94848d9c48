// Becomes another program: the recording ends there.
#include <unistd.h>

int main(void) {
  execl("/bin/echo", "echo", "other", (char *)0);
  return 1;
}
