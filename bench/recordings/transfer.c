// Copies a file to another one, as cp and cat do. Argument 3 is the size of the pieces.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  size_t size = argc > 3 ? strtoul(argv[3], 0, 10) : 65536;
  char *piece = malloc(size);
  int from = open(argv[1], O_RDONLY);
  int to = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ssize_t got;
  if (!piece || from < 0 || to < 0)
    return 1;
  while ((got = read(from, piece, size)) > 0)
    if (write(to, piece, (size_t)got) != got)
      return 1;
  return got < 0;
}
