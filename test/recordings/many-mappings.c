// Maps as many files as a program with a hundred plug-ins, and has another program run; then changes a
// file of its own, which it no longer maps.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { Count = 400 };

int main(void) {
  int file = open("mapped.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
  write(file, "many times\n", 11);
  int reader = open("mapped.txt", O_RDONLY);
  char *mapped[Count];
  long sum = 0;
  for (int i = 0; i < Count; ++i) {
    mapped[i] = mmap(0, 11, PROT_READ, MAP_PRIVATE, reader, 0);
    sum += mapped[i][i % 10];
  }
  printf("%ld, status %d\n", sum, system("exit 5"));
  for (int i = 0; i < Count; ++i)
    munmap(mapped[i], 11);
  pwrite(file, "once", 4, 0);
  char text[12] = {0};
  pread(reader, text, 11, 0);
  fputs(text, stdout);
  return unlink("mapped.txt");
}
