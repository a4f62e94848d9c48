// Double free, after the one of the version control system cvs: keeps the name of the current
// directory, which a request may change.
//
// What is wrong: `enter` frees the old name before it looks at the new one, and leaves early on line
// 30 when that is not acceptable. The next request frees the same block again, on line 27.
//
// demo: culprit run -- ./double-free src/lib src/bin -> none
// demo: culprit run -- ./double-free src /etc lib -> double-free, line 27
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client {
  char *directory;
  int requests, refused;
};

static char *copy(const char *text) {
  char *result = malloc(strlen(text) + 1);
  if (!result)
    exit(1);
  return strcpy(result, text);
}

static int enter(struct client *client, const char *directory) {
  client->requests++;
  free(client->directory);
  if (directory[0] == '/') {
    client->refused++;
    return 0;
  }
  client->directory = copy(directory);
  return 1;
}

static int depth(const char *directory) {
  int result = 1;
  for (; *directory; directory++)
    result += *directory == '/';
  return result;
}

int main(int argc, char **argv) {
  struct client client = {copy("."), 0, 0};
  for (int i = 1; i < argc; i++)
    if (enter(&client, argv[i]))
      printf("in %s, %d deep\n", client.directory, depth(client.directory));
  printf("%d requests, %d refused\n", client.requests, client.refused);
  free(client.directory);
  return 0;
}
