// Builds DIRECTORY/NAME.EXTENSION in a buffer that is long enough for most, with sprintf.
// expect: kind=broken-return line=fail name=the return address of `report`
// args: /var/lib/program/with/a/very/long/path configuration backup
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <string.h>

struct parts {
  const char *directory, *name, *extension;
};

static void join(char *path, const struct parts *parts) {
  sprintf(path, "%s/%s.%s", parts->directory, parts->name, parts->extension); // cause
}

static void report(const struct parts *parts) {
  char path[32];
  join(path, parts);
  printf("%s has %zu characters\n", path, strlen(path));
} // fail

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  struct parts parts = {argv[1], argv[2], argv[3]};
  report(&parts);
  return 0;
}
