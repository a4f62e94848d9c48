// Cuts a file that it has mapped, by its name: this is not recorded.
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf back;
static void handler(int number) { siglongjmp(back, number); }

int main(void) {
  static char text[8192] = "there";
  int file = creat("mapped-cut.tmp", 0600);
  write(file, text, sizeof text);
  close(file);
  file = open("mapped-cut.tmp", O_RDONLY);
  const volatile char *map = mmap(0, sizeof text, PROT_READ, MAP_PRIVATE, file, 0);
  signal(SIGBUS, handler);
  truncate("mapped-cut.tmp", 10);
  unlink("mapped-cut.tmp");
  if (sigsetjmp(back, 1) == 0)
    printf("%d\n", map[4096]);
  else
    printf("%d, and gone\n", map[0]);
  return 0;
}
