// Two records from the heap, one behind the other. The note of the first has no bound, and runs
// over the second one's header and into its pointer.
// expect: kind=segmentation-fault line=fail name=`account->owner->name`
// args: a-note-that-is-far-too-long-for-its-sixteen-bytes-and-all-that-follows
// cause: line=cause
// locate: line=cause and=second
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
  const char *name;
};

struct account {
  struct person *owner;
  long balance;
  char note[16];
};

static struct account *open_account(struct person *owner) {
  struct account *account = malloc(sizeof *account); // second
  if (!account)
    abort();
  account->owner = owner;
  account->balance = 0;
  account->note[0] = 0;
  return account;
}

static void annotate(struct account *account, const char *text) {
  char *out = account->note;
  while ((*out++ = *text++)) // cause
    ;
}

static void print(const struct account *account) {
  const char *name = account->owner->name; // fail
  printf("%s: %ld\n", name, account->balance);
}

int main(int argc, char **argv) {
  struct person ann = {"Ann"}, bob = {"Bob"};
  struct account *first = open_account(&ann), *second = open_account(&bob);
  annotate(first, argc > 1 ? argv[1] : "");
  print(second);
  print(first);
  free(first);
  free(second);
  return 0;
}
