// Copies a file in pieces of 4 KB, so many times: two system calls a piece.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static char piece[4096];
  long times = argc > 3 ? atol(argv[3]) : 1;
  for (long i = 0; i < times; i++) {
    int from = open(argv[1], O_RDONLY);
    int to = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t size;
    if (from < 0 || to < 0)
      return 1;
    while ((size = read(from, piece, sizeof piece)) > 0)
      if (write(to, piece, (size_t)size) != size)
        return 1;
    close(from);
    close(to);
  }
  return 0;
}
