// Uninitialised read, after the one of the database server mysqld: loads rows into the table that
// was selected before.
//
// What is wrong: `open_session` (line 27) does not set the session's table, so that a session that
// loads before it selects reads what happens to be in fresh memory, on line 42. The layout fills
// fresh memory; without it, whether the program fails is a matter of luck.
//
// demo: culprit run --layout layout.json -- ./uninitialised-read select:users load:3 -> none
// demo: culprit run --layout layout.json -- ./uninitialised-read load:3 -> segmentation-fault, line 42
// layout: {"fill": {"fresh": 170, "uninitialised": 170}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
  const char *name;
  long rows;
};

struct session {
  int number;
  struct table *table;
};

static struct table tables[] = {{"users", 0}, {"orders", 0}};

static struct session *open_session(int number) {
  struct session *session = malloc(sizeof *session);
  if (!session)
    exit(1);
  session->number = number;
  return session;
}

static void use(struct session *session, const char *name) {
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (strcmp(tables[i].name, name) == 0)
      session->table = &tables[i];
}

static void load(struct session *session, long rows) {
  session->table->rows += rows;
}

int main(int argc, char **argv) {
  struct session *session = open_session(1);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "select:", 7) == 0)
      use(session, argv[i] + 7);
    else if (strncmp(argv[i], "load:", 5) == 0)
      load(session, atol(argv[i] + 5));
  printf("session %d: %s has %ld rows\n", session->number, tables[0].name, tables[0].rows);
  free(session);
  return 0;
}
