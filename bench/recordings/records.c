// A database's way to its file: reads records of 256 bytes, and writes one in four of them back,
// with a sum of each.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  enum { kSize = 256, kCount = 4096 };
  static unsigned char record[kSize];
  long times = argc > 2 ? atol(argv[2]) : 1;
  int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  unsigned long place = 1, sum = 0;
  if (file < 0 || ftruncate(file, (off_t)kSize * kCount) != 0)
    return 1;
  for (long i = 0; i < times; i++) {
    place = place * 6364136223846793005UL + 1442695040888963407UL;
    off_t at = (off_t)(place >> 40) % kCount * kSize;
    if (pread(file, record, kSize, at) != kSize)
      return 1;
    for (int j = 0; j < kSize; j++)
      sum = sum * 31 + record[j];
    record[0] = (unsigned char)(sum >> 8);
    if (i % 4 == 0 && pwrite(file, record, kSize, at) != kSize)
      return 1;
  }
  printf("%lx\n", sum);
  return 0;
}
