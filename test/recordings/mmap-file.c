// Maps its own input, changes a private copy, grows an anonymous mapping.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  int file = open("mapped.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
  write(file, "hello mapped world\n", 19);
  char *bytes = mmap(0, 19, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  char *shared = mmap(0, 19, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  bytes[0] = 'J';
  shared[1] = 'a';
  char back[20] = {0};
  pread(file, back, 19, 0);
  printf("%.19s%.19s%s", bytes, shared, back);
  char *block = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  strcpy(block, "kept");
  block = mremap(block, 4096, 1 << 20, MREMAP_MAYMOVE);
  printf("%s %p\n", block, (void *)block);
  munmap(block, 1 << 20);
  unlink("mapped.txt");
  return 0;
}
