// Packs a file by zlib, as gzip -1 does.
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

int main(int argc, char **argv) {
  static char piece[32768];
  int from = argc > 2 ? open(argv[1], O_RDONLY) : -1;
  gzFile to = argc > 2 ? gzopen(argv[2], "wb1") : NULL;
  ssize_t got;
  if (from < 0 || !to)
    return 1;
  while ((got = read(from, piece, sizeof piece)) > 0)
    if (gzwrite(to, piece, (unsigned)got) != got)
      return 1;
  return gzclose(to) != Z_OK || got < 0;
}
