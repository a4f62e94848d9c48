// Re-ordered locals: figure 6 of the execution suppression paper, from the program ncompress.
//
// What is wrong: line 22 copies a file name of any length into `tempname`. A name that is a little
// too long only runs over `fdin` and `fdout`, and nothing is noticed. With the layout that puts the
// return address directly behind the buffer, `comprxx` fails when it returns, on line 31.
//
// demo: culprit run -- ./reordered-locals short -> none
// demo: culprit run -- ./reordered-locals a-name-of-38-letters-is-a-bit-too-long -> none
// demo: culprit run --layout layout.json -- ./reordered-locals a-name-of-38-letters-is-a-bit-too-long -> broken-return, line 31
// layout: {"functions": {"comprxx": ["(gap)", "(gap)#2", "length", "fileptr", "fdin", "fdout", "tempname", "(return)", "(base)"]}}
#include <stdio.h>
#include <string.h>

#define MAXPATHLEN 32

static int compressed;

static int comprxx(char **fileptr) {
  int fdin;
  int fdout;
  char tempname[MAXPATHLEN];
  strcpy(tempname, *fileptr);
  size_t length = strlen(tempname);
  if (length > 2 && strcmp(tempname + length - 2, ".Z") == 0)
    return 0;
  fdin = (int)length;
  fdout = fdin + 2;
  printf("%s: %d letters, %d compressed\n", tempname, fdin, fdout);
  compressed++;
  return fdout > 0;
}

int main(int argc, char **argv) {
  int failed = 0;
  for (int i = 1; i < argc; i++)
    failed += !comprxx(&argv[i]);
  printf("%d compressed, %d left as they are\n", compressed, failed);
  return 0;
}
