// Maps a file twice, writes through one mapping and reads by the other: this is not recorded.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  int file = open("mapped-twice.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate(file, 8192) != 0)
    return 1;
  char *writer = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  writer[0] = 'a';
  char *reader = mmap(0, 8192, PROT_READ, MAP_SHARED, file, 0);
  writer[0] = 'b';
  printf("%c\n", reader[0]);
  unlink("mapped-twice.tmp");
}
