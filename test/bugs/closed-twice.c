// A connection that cannot be opened is given up by who opens it, and by who asked for that.
// expect: kind=double-free line=freed
// args: here 'there!' elsewhere
// cause: line=cause
// locate: line=cause and=first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct connection {
  char *host;
  char *buffer;
  int number;
};

static void give_up(struct connection *connection) {
  if (!connection)
    return;
  free(connection->host); // first, freed
  free(connection->buffer); // freed
  free(connection); // freed
}

static int open_to(struct connection *connection, const char *host) {
  connection->host = strdup(host);
  if (strchr(host, '!')) {
    give_up(connection); // cause: the caller does that
    return -1;
  }
  connection->number = 3;
  return 0;
}

static struct connection *dial(const char *host) {
  struct connection *connection = calloc(1, sizeof *connection);
  connection->buffer = malloc(128);
  if (open_to(connection, host) < 0) {
    give_up(connection);
    return NULL;
  }
  return connection;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct connection *connection = dial(argv[i]);
    printf("%s: %s\n", argv[i], connection ? "ok" : "failed");
    give_up(connection);
  }
  return 0;
}
