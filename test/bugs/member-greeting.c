// A title and a name are too long for the member that they are copied to by a function that does
// not know how long it is; behind it is the function that greets.
// expect: kind=segmentation-fault line=fail
// args: ann "alexander the great and good"
// cause: line=cause
// locate: line=store
#include <stdio.h>
#include <stdlib.h>

struct user {
  int number;
  char name[16];
  int level;
  void (*greet)(const char *);
};

static void hello(const char *name) {
  printf("hello %s\n", name);
}

static void copy(char *to, const char *from) {
  while ((*to++ = *from++) != 0) // store
    ;
}

static struct user *enter(const char *text) {
  char line[64];
  snprintf(line, sizeof line, "dear %s", text);
  struct user *user = calloc(1, sizeof *user);
  user->greet = hello;
  user->level = 1;
  copy(user->name, line); // cause: up to 15
  return user;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct user *user = enter(argv[i]);
    user->greet(user->name); // fail
    free(user);
  }
  return 0;
}
