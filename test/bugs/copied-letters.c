// A word is read letter by letter, each as an int, into a buffer that is too short; what follows it
// is the pointer to the unit.
// expect: kind=segmentation-fault line=fail name=`unit[0]`
// args: hippopotamuses
// cause: line=cause
// locate: line=first
#include <ctype.h>
#include <stdio.h>

char word[8] = "none";
const char *unit = "pieces";

struct reader {
  const char *text;
  int letter;
  int count;
};

static int next(struct reader *reader) {
  reader->letter = toupper((unsigned char)*reader->text++);
  return reader->letter;
}

static void read_word(struct reader *reader) {
  while (next(reader) != 0) // cause: no limit
    word[reader->count++] = (char)reader->letter; // first
}

int main(int argc, char **argv) {
  struct reader reader = {argc > 1 ? argv[1] : "ox", 0, 0};
  read_word(&reader);
  if (unit[0] == 0) // fail
    return 1;
  printf("%d %.8s in %s\n", reader.count, word, unit);
  return 0;
}
