// Global buffer overflow: counts how often each letter begins a word, for the letters of ASCII.
//
// What is wrong: line 29 takes a letter's distance from 'a' also for letters that are not between
// 'a' and 'z'; '{' gives 26, one behind the table of 26, where the pointer `busiest` is. The
// program fails on line 37, when it uses that pointer.
//
// demo: culprit run -- ./global-overflow some words {and} more -> segmentation-fault, line 37
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct letter {
  int count;
  int longest;
};

int words = 0;
struct letter letters[26] = {{0, 0}};
struct letter *busiest = NULL;

static void read_word(const char *word) {
  size_t length = strlen(word);
  if (length == 0)
    return;
  words++;
  int c = tolower((unsigned char)word[0]);
  if (c < 'a')
    return; // digits and the like
  struct letter *letter = &letters[c - 'a'];
  letter->count++;
  if (letter->longest < (int)length)
    letter->longest = (int)length;
}

static void find_busiest(void) {
  for (int i = 0; i < 26; i++)
    if (!busiest || letters[i].count > busiest->count)
      busiest = &letters[i];
}

static void print(void) {
  char letter = (char)('a' + (busiest - letters));
  printf("%d words; '%c' begins %d of them\n", words, letter, busiest->count);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    read_word(argv[i]);
  find_busiest();
  print();
  return 0;
}
