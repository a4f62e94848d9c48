// Maps as much of a file as its header promises; the file ends earlier.
// expect: kind=bus-error line=fail name=`words[i]`
// cause: line=cause
// locate: line=cause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct header {
  unsigned magic, words;
};

static int make_file(unsigned promised, unsigned written) {
  FILE *file = tmpfile();
  if (!file)
    exit(1);
  struct header header = {0x4d415057, promised};
  fwrite(&header, sizeof header, 1, file);
  for (unsigned i = 0; i < written; i++)
    fwrite(&i, sizeof i, 1, file);
  fflush(file);
  return fileno(file);
}

static unsigned long sum(const unsigned *words, unsigned count) {
  unsigned long result = 0;
  for (unsigned i = 0; i < count; i += 512)
    result += words[i]; // fail
  return result;
}

int main(void) {
  int fd = make_file(100000, 500);
  struct header header;
  if (pread(fd, &header, sizeof header, 0) != sizeof header)
    return 1;
  size_t size = sizeof header + header.words * sizeof(unsigned); // cause: fstat
  char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED)
    return 1;
  printf("%lu\n", sum((const unsigned *)(map + sizeof header), header.words));
  return 0;
}
