// Prints the lines of standard input that have a word in them.
#include <stdio.h>
#include <string.h>

int main(void) {
  static char line[1 << 16];
  while (fgets(line, sizeof line, stdin))
    if (strstr(line, "e"))
      fputs(line, stdout);
  return 0;
}
