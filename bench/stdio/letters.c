// Copies standard input letter by letter, as filters do: inlined and called getc and putc.
#include <ctype.h>
#include <stdio.h>

int main(void) {
  int letter;
  while ((letter = getc(stdin)) != EOF)
    putc(toupper(letter), stdout);
  return 0;
}
