// The caller's array has four places; the splitter that fills it was told eight. The fifth field
// lands on the pointer behind the array.
// expect: kind=segmentation-fault line=fail name=`label[0]`
// args: a:b:c:d:e
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <string.h>

#define FIELDS 4

struct field {
  long start, length;
};

static int split(const char *text, struct field *fields, int most) {
  int count = 0;
  const char *start = text;
  for (const char *p = text;; p++)
    if (*p == ':' || *p == 0) {
      if (count == most)
        return count;
      fields[count++] = (struct field){start - text, p - start}; // first
      start = p + 1;
      if (*p == 0)
        return count;
    }
}

static int show(const char *text) {
  const char *label = "fields";
  struct field fields[FIELDS];
  int count = split(text, fields, 2 * FIELDS); // cause
  if (label[0] != 0)                           // fail
    printf("%s: %d, the first has %ld letters\n", label, count, fields[0].length);
  return count;
}

int main(int argc, char **argv) {
  return argc > 1 ? show(argv[1]) == 0 : 2;
}
