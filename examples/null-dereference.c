// NULL dereference: evaluates sums and products over named variables, such as "width * height".
//
// What is wrong: `find` gives NULL for a name that was never set, and line 42 uses what it gives
// without a question.
//
// demo: culprit run -- ./null-dereference width=4 height=3 'width * height' -> none
// demo: culprit run -- ./null-dereference width=4 height=3 'width * depth' -> segmentation-fault, line 42
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variable {
  char name[16];
  long value;
  struct variable *next;
};

static struct variable *variables;

static struct variable *find(const char *name, size_t length) {
  for (struct variable *v = variables; v; v = v->next)
    if (strncmp(v->name, name, length) == 0 && v->name[length] == 0)
      return v;
  return NULL;
}

static void set(const char *name, size_t length, long value) {
  struct variable *v = calloc(1, sizeof *v);
  if (!v || length >= sizeof v->name)
    exit(1);
  memcpy(v->name, name, length);
  v->value = value;
  v->next = variables;
  variables = v;
}

static long operand(const char **text) {
  const char *start = *text;
  while (isalnum((unsigned char)**text))
    ++*text;
  return find(start, (size_t)(*text - start))->value;
}

static long evaluate(const char *text) {
  long result = operand(&text);
  while (*text == ' ') {
    char operation = *++text;
    text += 2;
    long right = operand(&text);
    result = operation == '*' ? result * right : result + right;
  }
  return result;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    if (equals)
      set(argv[i], (size_t)(equals - argv[i]), atol(equals + 1));
    else
      printf("%s = %ld\n", argv[i], evaluate(argv[i]));
  }
  return 0;
}
