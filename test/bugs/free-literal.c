// Settings own their strings, except the defaults, which are literals.
// expect: kind=wild-free line=fail name=`"localhost"[0]`
// args: port 8080
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
  char *host, *port;
};

static void init(struct settings *settings) {
  settings->host = "localhost"; // cause: strdup
  settings->port = strdup("80");
}

static void set(char **value, const char *text) {
  free(*value);
  *value = strdup(text);
}

static void clear(struct settings *settings) {
  free(settings->port);
  free(settings->host); // fail
}

int main(int argc, char **argv) {
  struct settings settings;
  init(&settings);
  for (int i = 1; i + 1 < argc; i += 2)
    set(strcmp(argv[i], "host") == 0 ? &settings.host : &settings.port, argv[i + 1]);
  printf("%s:%s\n", settings.host, settings.port);
  clear(&settings);
  return 0;
}
