// Reads megabytes at once, from a file that is gone afterwards.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  enum { size = 3 << 20 };
  char *bytes = malloc(size);
  int random = open("/dev/urandom", O_RDONLY), file = open("big.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
  read(random, bytes, 4096);
  for (int i = 4096; i < size; i++) bytes[i] = bytes[i % 4096] + i / 4096;
  write(file, bytes, size);
  lseek(file, 0, SEEK_SET);
  unsigned sum = 0;
  long got = read(file, bytes, size);
  for (long i = 0; i < got; i++) sum = sum * 31 + (unsigned char)bytes[i];
  printf("%ld %x\n", got, sum);
  unlink("big.bin");
  return 0;
}
