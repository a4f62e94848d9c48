// A prompt with a title of sixteen bytes; strcpy takes what the user gives, and behind the title is
// the function that prints it.
// expect: kind=segmentation-fault line=fail name=`sh->print`
// args: a-title-that-has-no-end
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <string.h>

struct shell {
  int lines;
  char title[16];
  void (*print)(const char *);
};

static void plain(const char *text) {
  printf("%s> ", text);
}

struct shell shell = {0, "shell", plain};

static void setTitle(struct shell *sh, const char *title) {
  if (title && *title)
    strcpy(sh->title, title); // cause
}

static void prompt(struct shell *sh) {
  sh->lines++;
  sh->print(sh->title); // fail
}

int main(int argc, char **argv) {
  setTitle(&shell, argc > 1 ? argv[1] : NULL);
  prompt(&shell);
  puts("");
  return 0;
}
