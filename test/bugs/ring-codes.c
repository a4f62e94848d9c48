// Unpacks words, each a letter behind an earlier word, from their ends into a buffer; nobody looks
// whether a word is behind itself: then this goes on down to where memory ends. Without the stores
// it does not end in any reasonable time.
// expect: kind=segmentation-fault line=cause name=`top[-1]`
// cause: line=cause
// locate: line=cause
#include <stdio.h>

enum { LONGEST = 2000 };

static const int before[] = {0, 0, 1, 2, 0, 6, 7, 6};
static const char last[] = " abcdefg";
static char unpacked[LONGEST];
static char *const bottom = unpacked + LONGEST;

static int unpack(int word) {
  char *top = bottom;
  while (word != 0) {
    for (volatile int i = 0; i < 20; i++) // then without the stores it ends after minutes only
      ;
    *--top = last[word]; // cause: should end at unpacked
    word = before[word];
  }
  return (int)(bottom - top);
}

int main(void) {
  int total = 0;
  for (int i = 1; i < 8; i++)
    total += unpack(i);
  printf("%d letters, the first is %c\n", total, bottom[-1]);
  return 0;
}
