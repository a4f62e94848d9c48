// Prints the lines of a file that hold a word, by stdio.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  static char line[4096];
  FILE *in = argc > 2 ? fopen(argv[1], "r") : NULL;
  if (!in)
    return 1;
  while (fgets(line, sizeof line, in))
    if (strstr(line, argv[2]))
      fputs(line, stdout);
  return ferror(in) || fflush(stdout) != 0;
}
