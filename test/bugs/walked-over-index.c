// A name is filled from its end, and one step too far in front of it is the position itself.
// expect: kind=segmentation-fault line=store
// cause: line=cause
// locate: line=store
#include <stdio.h>
#include <string.h>

int at = 0;
char name[8] = "";

static void fill(const char *text) {
  for (at = (int)strlen(text) - 1; at >= -1; at--) // cause: at >= 0
    name[at] = at < 0 ? '"' : text[at]; // store
}

int main(int argc, char **argv) {
  fill(argc > 1 ? argv[1] : "letters");
  printf("%.8s\n", name);
  return 0;
}
