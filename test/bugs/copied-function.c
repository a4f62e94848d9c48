// An alias for a function that is not there; the lookup's answer is used to copy what the function
// is made of.
// expect: kind=segmentation-fault line=fail name=`source->flags`
// args: double=2*x twice=>dubble
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct formula {
  const char *text;
  size_t length;
};

struct function {
  const char *name;
  int flags;
  double *table;
  struct formula forward;
  struct function *next;
};

static struct function *functions;

static struct function *find(const char *name) {
  for (struct function *one = functions; one; one = one->next)
    if (strcmp(one->name, name) == 0)
      return one;
  return NULL; // first
}

static void copy_formula(struct formula *to, const struct formula *from) {
  to->text = from->text;
  to->length = from->length;
}

static struct function *make(const char *name) {
  struct function *made = malloc(sizeof *made);
  if (!made)
    abort();
  made->name = name;
  made->next = functions;
  return functions = made;
}

static void define(const char *name, const char *text) {
  struct function *made = make(name);
  made->flags = 0;
  made->table = NULL;
  made->forward.text = text;
  made->forward.length = strlen(text);
}

static void copy(const char *name, const char *from) {
  struct function *source = find(from); // cause: unless there is none
  struct function *made = make(name);
  made->flags = source->flags; // fail
  if (source->table) {
    made->table = source->table;
  } else {
    made->table = NULL;
    copy_formula(&made->forward, &source->forward);
  }
}

static size_t blanks(const struct function *function, int skipped) {
  size_t count = 0;
  for (const char *next = function->forward.text + skipped; *next; next++)
    count += *next == ' ';
  return count;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    char *text = strchr(argv[i], '=');
    if (!text)
      continue;
    *text++ = 0;
    if (*text == '>')
      copy(argv[i], text + 1);
    else
      define(argv[i], text);
  }
  size_t sum = 0;
  for (struct function *one = functions; one; one = one->next)
    sum += blanks(one, argc > 5);
  printf("%zu\n", sum);
  return 0;
}
