// Marks for letters, counted in a table for ASCII by plain char. The letters are of another
// alphabet: some count right before the table, the last ones where there is no memory.
// expect: kind=segmentation-fault line=cause name=`score[c]`
// args: 'hello \xff\xe0 world \xb0'
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <string.h>

static int score[128];
static const char *names[4] = {"low", "mid", "high", "top"};
static int level = 1;

static void load(const char *text) {
  for (; *text; text++) {
    char c = *text;
    score[(int)c] += 1000; // cause
  }
}

int main(int argc, char **argv) {
  char line[256];
  snprintf(line, sizeof line, "%s", argc > 1 ? argv[1] : "plain");
  load(line);
  printf("%s\n", names[level]);
  for (int i = 'a'; i <= 'z'; i++)
    if (score[i])
      printf("%c %d\n", i, score[i]);
  return 0;
}
