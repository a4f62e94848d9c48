// A value keeps its old tag when a number is stored over a text.
// expect: kind=segmentation-fault line=fail name=`value->as.text[n]`
// cause: line=cause
// locate: line=value
#include <stdio.h>

enum kind { NUMBER, TEXT };

struct value {
  enum kind kind;
  union {
    long number;
    const char *text;
  } as;
};

static void set_text(struct value *value, const char *text) {
  value->kind = TEXT;
  value->as.text = text;
}

static void set_number(struct value *value, long number) {
  value->as.number = number; // cause: and the kind
}

static int width(const struct value *value) {
  int n = 0;
  if (value->kind == TEXT) {
    while (value->as.text[n]) // fail
      n++;
    return n;
  }
  return snprintf(NULL, 0, "%ld", value->as.number);
}

int main(void) {
  struct value value;
  set_text(&value, "label");
  printf("%d\n", width(&value));
  set_number(&value, 123456); // value
  printf("%d\n", width(&value));
  return 0;
}
