// Writes to a mapped file, and so may the program that it starts: this is not recorded.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  int file = open("mapped-by-program.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  ftruncate(file, 100);
  char *text = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  text[0] = 'x';
  system("printf child | dd of=mapped-by-program.tmp conv=notrunc 2>/dev/null");
  unlink("mapped-by-program.tmp");
  printf("%s\n", text);
  return 0;
}
