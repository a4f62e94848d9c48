// Maps a file that its child then changes: this is not recorded.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  int file = open("mapped-by-child.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  write(file, "before", 6);
  close(file);
  file = open("mapped-by-child.tmp", O_RDONLY);
  const char *text = mmap(0, 6, PROT_READ, MAP_SHARED, file, 0);
  system("printf after >>mapped-by-child.tmp; printf A | dd of=mapped-by-child.tmp conv=notrunc 2>/dev/null");
  unlink("mapped-by-child.tmp");
  printf("%.6s\n", text);
  return 0;
}
