// Changes a file that it has mapped, between its mappings and beside them, and maps it again.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void show(int file, char mark) {
  char *bytes = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  printf("%d %d %d\n", bytes[0], bytes[1], bytes[8191]);
  bytes[0] = mark;
  bytes[8191]++;
  munmap(bytes, 8192);
}

int main(void) {
  int file = open("mapped-in-turn.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate(file, 1 << 20) != 0)
    return 1;
  for (char i = 1; i < 9; i++) { // faster than the file's time changes
    show(file, i);
    if (pwrite(file, &i, 1, 1) != 1)
      return 1;
  }
  char *part = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 4096);
  for (char i = 1; i < 9; i++) // beside what is mapped
    if (pwrite(file, &i, 1, i % 2 ? 100 : 9000) != 1)
      return 1;
  char seen[2] = {0};
  if (pread(file, seen, 1, 100) != 1 || pread(file, seen + 1, 1, 9000) != 1)
    return 1;
  printf("%d %d %d\n", part[4095], seen[0], seen[1]);
  printf("%ld\n", syscall(SYS_io_uring_setup, 8, 0)); // there is none in a recording
  unlink("mapped-in-turn.tmp");
}
