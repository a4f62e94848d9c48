// A session is closed, but stays in the table; what is allocated next takes its place, and ending
// the old session writes into the new object.
// expect: kind=segmentation-fault line=fail name=`request->path[0]`
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
  char *user;
  long ended;
};

struct request {
  long number;
  const char *path;
};

static struct session *table[4];

static void *xmalloc(size_t size) {
  void *block = malloc(size);
  if (!block)
    abort();
  return block;
}

static void login(int slot, char *user) {
  struct session *session = xmalloc(sizeof *session);
  *session = (struct session){user, 0};
  table[slot] = session;
}

static void logout(int slot) {
  free(table[slot]); // cause: the table keeps it
}

static void tick(long now) {
  for (int i = 0; i < 4; i++)
    if (table[i])
      table[i]->ended = now;
}

static int first_letter(const struct request *request) {
  return request->path[0]; // fail
}

int main(void) {
  login(0, "ann");
  logout(0);
  struct request *request = xmalloc(sizeof *request);
  *request = (struct request){1, "/index"};
  tick(1700000000);
  printf("%c\n", first_letter(request));
  free(request);
  return 0;
}
