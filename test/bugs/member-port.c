// The host's name is longer than the member for it, and the port behind it is part of the name.
// expect: kind=failed-assert line=fail
// args: ab longhostname
// cause: line=cause
// locate: line=cause
#include <assert.h>
#include <stdio.h>

struct peer {
  char host[8];
  unsigned port;
  int isOpen;
};

static struct peer table[4];

static void set(int slot, const char *host, unsigned port) {
  table[slot].port = port;
  table[slot].isOpen = 1;
  sprintf(table[slot].host, "%s", host); // cause: snprintf
}

int main(int argc, char **argv) {
  char host[64];
  for (int i = 1; i < argc && i < 5; i++) {
    snprintf(host, sizeof host, "%s.org", argv[i]);
    set(i - 1, host, 80);
  }
  for (int i = 0; i < 4; i++)
    if (table[i].isOpen)
      assert(table[i].port == 80); // fail
  return 0;
}
