// Writes to a file that it has mapped for reading, as databases do: this is not recorded.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  int writer = open("mapped-written.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  int reader = open("mapped-written.tmp", O_RDONLY);
  if (writer < 0 || reader < 0 || ftruncate(writer, 8192) != 0)
    return 1;
  char *bytes = mmap(0, 8192, PROT_READ, MAP_SHARED, reader, 0);
  if (pwrite(writer, "new", 3, 4096) != 3)
    return 1;
  printf("%.3s\n", bytes + 4096);
  unlink("mapped-written.tmp");
}
