// A table of commands in which one has a name and no function yet.
// expect: kind=segmentation-fault line=fail name=`command->run`
// args: list verify
// cause: line=cause
// locate: line=address
#include <stdio.h>
#include <string.h>

struct command {
  const char *name;
  int (*run)(int depth);
};

static int list(int depth) {
  return printf("%*slisting\n", depth, "");
}

static int help(int depth) {
  return printf("%*scommands: list, verify, help\n", depth, "");
}

static const struct command commands[] = {
    {"list", list},
    {"verify", NULL}, // cause
    {"help", help},
};

static int execute(const char *name) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    const struct command *command = &commands[i]; // address
    if (strcmp(command->name, name) == 0)
      return command->run(2) + 1; // fail
  }
  return -1;
}

int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 1; i < argc; i++)
    sum += execute(argv[i]);
  return sum < 0;
}
