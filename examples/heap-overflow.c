// Heap buffer overflow, after the one of the mail program pine: quotes the special characters of a
// name before it is put into a mail header.
//
// What is wrong: line 24 estimates that a quoted name needs two bytes more, for the quotation marks,
// and forgets the backslashes in front of quotation marks inside. The copy runs over the header of
// the next heap block. The program fails when that block is freed, on line 59.
//
// demo: culprit run -- ./heap-overflow 'Ann "the" "old" "and" "wise" "one"' ann@example.org -> broken-heap, line 59
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct address {
  char *name;
  char *mailbox;
};

static int is_special(char c) {
  return c == '"' || c == '\\';
}

/// Room for the name, its quotation marks and the zero.
static size_t estimate(const char *name) {
  return strlen(name) + 3;
}

static void quote(char *to, const char *from) {
  *to++ = '"';
  for (; *from; from++) {
    if (is_special(*from))
      *to++ = '\\';
    *to++ = *from;
  }
  *to++ = '"';
  *to = 0;
}

static void *xmalloc(size_t size) {
  void *block = malloc(size);
  if (!block) {
    fputs("no memory\n", stderr);
    exit(1);
  }
  return block;
}

static struct address make(const char *name, const char *mailbox) {
  struct address address;
  address.name = xmalloc(estimate(name));
  address.mailbox = xmalloc(strlen(mailbox) + 1);
  strcpy(address.mailbox, mailbox);
  quote(address.name, name);
  return address;
}

int main(int argc, char **argv) {
  struct address address = make(argc > 1 ? argv[1] : "Ann", argc > 2 ? argv[2] : "ann@example.org");
  printf("From: %s <%s>\n", address.name, address.mailbox);
  free(address.mailbox);
  free(address.name);
  return 0;
}
