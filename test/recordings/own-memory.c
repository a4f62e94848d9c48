// Writes to its own memory as if that were a file: this is not recorded.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static int number = 1;

int main(void) {
  int file = open("/proc/self/mem", O_RDWR), other = 42;
  pwrite(file, &other, sizeof other, (off_t)(intptr_t)&number);
  printf("%d\n", number);
  return number;
}
